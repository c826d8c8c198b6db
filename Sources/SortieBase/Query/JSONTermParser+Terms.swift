extension JSONTermParser {
    mutating func postfix() throws(JSONQueryError) -> JSONTerm {
        var term = try primary()
        while true {
            let position = index
            if next == "[" {
                index += 1
                try count()
                term = .pipe(term, try bracket(open: position))
            } else if next == ".", index + 1 < characters.count, characters[index + 1] == "[" {
                index += 2
                try count()
                term = .pipe(term, try bracket(open: position + 1))
            } else if next == ".", index + 1 < characters.count, Self.isName(characters[index + 1]) || characters[index + 1] == "\"" {
                index += 1
                try count()
                term = .pipe(term, try field(position))
            } else if next == "?" {
                index += 1
                try count()
                term = .attempt(term)
            } else {
                return term
            }
        }
    }

    private mutating func field(_ position: Int) throws(JSONQueryError) -> JSONTerm {
        if next == "\"" {
            guard case .literal(.string(let name)) = try text() else { throw fault("a name has no \\( )", at: position) }
            return .field(name, position: position)
        }
        guard let name = name() else { throw fault("a name does not begin with a digit; write .[\"…\"]") }
        return .field(name, position: position)
    }

    /// What follows `[` after a term.
    private mutating func bracket(open: Int) throws(JSONQueryError) -> JSONTerm {
        if skip("]") { return .iterate(position: open) }
        skipBlanks()
        if next == "\"" {
            let term = try field(open)
            try expect("]", "[", at: open)
            return term
        }
        let start = try integer()
        if skip(":") {
            skipBlanks()
            let end = try integer()
            try expect("]", "[", at: open)
            return .slice(JSONPathSlice(start: start, end: end), position: open)
        }
        guard let start else {
            throw next == nil ? fault("this [ is not closed", at: open) : fault("[], an index, a range such as [1:3] or a name in quotes is expected")
        }
        try expect("]", "[", at: open)
        return .index(start, position: open)
    }

    private mutating func integer() throws(JSONQueryError) -> Int? {
        let start = index
        if next == "-" { index += 1 }
        while let character = next, character.isASCII, character.isNumber { index += 1 }
        guard index > start else { return nil }
        guard let number = Int(String(characters[start..<index])), number.magnitude < 1 << 53 else {
            throw fault("an integer is expected", at: start)
        }
        return number
    }

    private mutating func primary() throws(JSONQueryError) -> JSONTerm {
        skipBlanks()
        let position = index
        guard let character = next else {
            throw fault(
                index == 0 ? "write a JSON path such as $.items or a filter such as .items[]" : "the filter is incomplete; a term is expected")
        }
        switch character {
        case ".":
            index += 1
            if next == "." {
                index += 1
                return .descendants
            }
            if next == "[" {
                index += 1
                return try bracket(open: position + 1)
            }
            if next == "\"" { return try field(position) }
            guard let letter = next, Self.isName(letter) else { return .identity }
            return try field(position)
        case "(":
            index += 1
            let term = try pipe()
            try expect(")", "(", at: position)
            return term
        case "[":
            index += 1
            if skip("]") { return .array(nil) }
            let term = try pipe()
            try expect("]", "[", at: position)
            return .array(term)
        case "{":
            index += 1
            return try object(open: position)
        case "\"": return try text()
        case "-":
            index += 1
            try descend()
            defer { depth -= 1 }
            return .negative(try postfix(), position: position)
        case "$": return .path(try path())
        default:
            if character.isASCII, character.isNumber { return .literal(.number(try number())) }
            guard let name = name() else { throw fault("“\(character)” is not allowed here") }
            return try word(name, position)
        }
    }

    /// A JSON path.
    private mutating func path() throws(JSONQueryError) -> JSONPath {
        var parser = JSONPathParser(String(characters[index...]))
        let start = index
        let path: JSONPath
        do throws(JSONPathError) {
            path = try parser.prefix(&index)
        } catch {
            throw JSONQueryError(message: error.message, position: error.position + start)
        }
        if let character = next, Self.isName(character) { throw fault("“\(character)” is not allowed here; a step of a path begins with . or [") }
        return path
    }

    mutating func number() throws(JSONQueryError) -> String {
        let start = index
        while let character = next, character.isASCII, character.isNumber || ".eE".contains(character) {
            index += 1
            if character == "e" || character == "E", next == "-" || next == "+" { index += 1 }
        }
        let text = String(characters[start..<index])
        guard case .number(let number)? = JSONValue(ifValid: text) else { throw fault("“\(text)” is not a number", at: start) }
        return number
    }

    /// A text in quotes, with `\(…)` inside.
    mutating func text() throws(JSONQueryError) -> JSONTerm {
        let open = index
        index += 1
        var parts: [JSONTerm] = []
        var source = ""
        func part() throws(JSONQueryError) -> JSONTerm {
            guard let value = JSONValue(ifValid: "\"\(source)\"") else { throw fault("a text has an escape that does not exist", at: open) }
            return .literal(value)
        }
        while let character = next {
            index += 1
            switch character {
            case "\"":
                guard !parts.isEmpty else { return try part() }
                return .interpolation(parts + [try part()])
            case "\\":
                guard let escaped = next else { break }
                index += 1
                if escaped == "(" {
                    try count()
                    parts.append(try part())
                    source = ""
                    parts.append(try pipe())
                    try expect(")", "(", at: index)
                } else {
                    source += "\\" + String(escaped)
                }
            default: source.append(character)
            }
        }
        throw fault("the quote is not closed", at: open)
    }

    private mutating func object(open: Int) throws(JSONQueryError) -> JSONTerm {
        var members: [JSONTerm.Member] = []
        if skip("}") { return .object([]) }
        while true {
            skipBlanks()
            let position = index
            var name: JSONTerm
            var shorthand: JSONTerm?
            switch next {
            case "(":
                index += 1
                name = try pipe()
                try expect(")", "(", at: position)
            case "\"":
                name = try text()
                if case .literal(.string(let text)) = name { shorthand = .field(text, position: position) }
            case nil: throw fault("this { is not closed", at: open)
            case let character?:
                guard let word = self.name() else { throw fault("“\(character)” is not allowed here; a name is expected") }
                name = .literal(.string(word))
                shorthand = .field(word, position: position)
            }
            if skip(":") {
                members.append(.init(name: name, value: try alternative()))
            } else {
                guard let shorthand else { throw fault(": and a value are expected") }
                members.append(.init(name: name, value: shorthand))
            }
            if skip("}") { return .object(members) }
            try count()
            guard skip(",") else {
                skipBlanks()
                guard let character = next else { throw fault("this { is not closed", at: open) }
                throw fault("“\(character)” is not allowed here; , or } is expected")
            }
        }
    }

    /// A literal, a condition or a function.
    mutating func word(_ name: String, _ position: Int) throws(JSONQueryError) -> JSONTerm {
        switch name {
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        case "null": return .literal(.null)
        case "if": return try condition(position)
        case "def", "reduce", "foreach", "try", "label", "import", "as": throw fault("\(name) is not supported", at: position)
        default: break
        }
        guard let function = JSONFunction(rawValue: name) else {
            let known = JSONFunction.allCases.map(\.rawValue)
            let way = Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" } ?? "a member is written .\(name)"
            throw fault("there is no function \(name); \(way)", at: position)
        }
        var arguments: [JSONTerm] = []
        if next == "(" {
            let open = index
            index += 1
            repeat { arguments.append(try pipe()) } while skip(";")
            try expect(")", "(", at: open)
        }
        guard function.arguments.contains(arguments.count) else {
            let count = function.arguments.upperBound
            throw fault(
                count == 0
                    ? "\(name) has no arguments" : "\(name) has \(count == 1 ? "1 argument" : "\(count) arguments, separated by ;"): \(name)(…)",
                at: position)
        }
        if function == .test, arguments.count == 1, case .literal(.string(let pattern)) = arguments[0] {
            do throws(PatternError) { _ = try TextPattern(pattern) } catch { throw fault("\(error)", at: position) }
        }
        return .call(function, arguments, position: position)
    }

    private mutating func condition(_ position: Int) throws(JSONQueryError) -> JSONTerm {
        let test = try pipe()
        guard skip(word: "then") else { throw fault("then is expected") }
        let then = try pipe()
        let start = index
        if skip(word: "elif") {
            try descend()
            defer { depth -= 1 }
            return .conditional(test, then: then, otherwise: try condition(start))
        }
        var otherwise = JSONTerm.identity
        if skip(word: "else") { otherwise = try pipe() }
        guard skip(word: "end") else { throw fault("end is expected") }
        return .conditional(test, then: then, otherwise: otherwise)
    }
}
