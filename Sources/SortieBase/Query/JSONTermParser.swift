/// A parser for filters in a subset of the language of jq.
struct JSONTermParser {
    private let characters: [Character]
    private var index = 0
    private var depth = 0
    private var operators = 0

    /// The greatest number of terms within each other.
    private static let depthLimit = 100

    /// The greatest number of operators of a filter; a chain of them is as deep as it is long, and a term is released by nested calls.
    private static let operatorLimit = 1000

    /// The greatest number of characters of a filter.
    private static let lengthLimit = 10_000

    init(_ text: String) { characters = Array(text.prefix(Self.lengthLimit + 1)) }

    /// The filter that is the whole text.
    mutating func query() throws(JSONQueryError) -> JSONTerm {
        guard characters.count <= Self.lengthLimit else {
            throw fault("a filter has at most \(Self.lengthLimit) characters; divide it into several filters", at: Self.lengthLimit)
        }
        let term = try pipe()
        skipBlanks()
        guard let character = next else { return term }
        throw fault("“\(character)” is not allowed here; | or , continues a filter")
    }

    // MARK: Characters

    private var next: Character? { index < characters.count ? characters[index] : nil }

    private func fault(_ message: String, at position: Int? = nil) -> JSONQueryError {
        JSONQueryError(message: message, position: (position ?? index) + 1)
    }

    /// Counts a term within another one; the caller subtracts it from the depth at the end.
    private mutating func descend() throws(JSONQueryError) {
        depth += 1
        guard depth <= Self.depthLimit else { throw fault("more than \(Self.depthLimit) terms are within each other") }
    }

    /// Counts an operator.
    private mutating func count() throws(JSONQueryError) {
        operators += 1
        guard operators <= Self.operatorLimit else {
            throw fault("a filter has at most \(Self.operatorLimit) operators; divide it into several filters")
        }
    }

    private mutating func skipBlanks() {
        while let character = next, character.isWhitespace { index += 1 }
    }

    /// Skips white space and a symbol.
    private mutating func skip(_ symbol: String, unlessFollowedBy other: Character? = nil) -> Bool {
        let start = index
        skipBlanks()
        let end = index + symbol.count
        guard characters[index...].starts(with: symbol), other == nil || end >= characters.count || characters[end] != other else {
            index = start
            return false
        }
        index = end
        return true
    }

    private static func isName(_ character: Character) -> Bool {
        character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    }

    /// A name; nil where there is none.
    private mutating func name() -> String? {
        let start = index
        guard let first = next, Self.isName(first), !first.isNumber else { return nil }
        while let character = next, Self.isName(character) { index += 1 }
        return String(characters[start..<index])
    }

    /// Skips white space and a word.
    private mutating func skip(word: String) -> Bool {
        let start = index
        skipBlanks()
        if name() == word { return true }
        index = start
        return false
    }

    private mutating func expect(_ symbol: String, _ opening: String, at open: Int) throws(JSONQueryError) {
        guard !skip(symbol) else { return }
        skipBlanks()
        guard let character = next else { throw fault("this \(opening) is not closed", at: open) }
        throw fault("“\(character)” is not allowed here; \(symbol) is expected")
    }

    // MARK: Operators, the weakest first

    private mutating func pipe() throws(JSONQueryError) -> JSONTerm {
        try descend()
        defer { depth -= 1 }
        let term = try comma()
        guard skip("|") else { return term }
        try count()
        return .pipe(term, try pipe())
    }

    private mutating func comma() throws(JSONQueryError) -> JSONTerm {
        var term = try alternative()
        while skip(",") {
            try count()
            term = .comma(term, try alternative())
        }
        return term
    }

    private mutating func alternative() throws(JSONQueryError) -> JSONTerm {
        let term = try disjunction()
        guard skip("//") else { return term }
        try count()
        try descend()
        defer { depth -= 1 }
        return .alternative(term, try alternative())
    }

    private mutating func disjunction() throws(JSONQueryError) -> JSONTerm {
        var term = try conjunction()
        while skip(word: "or") {
            try count()
            term = .or(term, try conjunction())
        }
        return term
    }

    private mutating func conjunction() throws(JSONQueryError) -> JSONTerm {
        var term = try comparison()
        while skip(word: "and") {
            try count()
            term = .and(term, try comparison())
        }
        return term
    }

    private mutating func comparison() throws(JSONQueryError) -> JSONTerm {
        let term = try sum()
        guard let comparison = JSONPathFilter.Comparison.allCases.first(where: { skip($0.rawValue) }) else {
            let end = index
            skipBlanks()
            if next == "=" { throw fault("equality is written ==; a filter changes nothing") }
            index = end
            return term
        }
        return .compare(term, comparison, try sum())
    }

    private mutating func sum() throws(JSONQueryError) -> JSONTerm {
        var term = try product()
        while true {
            let position = index
            if skip("+") {
                try count()
                term = .calculate(term, "+", try product(), position: position)
            } else if skip("-") {
                try count()
                term = .calculate(term, "-", try product(), position: position)
            } else {
                return term
            }
        }
    }

    private mutating func product() throws(JSONQueryError) -> JSONTerm {
        var term = try postfix()
        while true {
            let position = index
            if skip("*") {
                try count()
                term = .calculate(term, "*", try postfix(), position: position)
            } else if skip("/", unlessFollowedBy: "/") {
                try count()
                term = .calculate(term, "/", try postfix(), position: position)
            } else if skip("%") {
                try count()
                term = .calculate(term, "%", try postfix(), position: position)
            } else {
                return term
            }
        }
    }

    // MARK: Terms

    private mutating func postfix() throws(JSONQueryError) -> JSONTerm {
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

    private mutating func number() throws(JSONQueryError) -> String {
        let start = index
        while let character = next, character.isASCII, character.isNumber || ".eE".contains(character) {
            index += 1
            if character == "e" || character == "E", next == "-" || next == "+" { index += 1 }
        }
        let text = String(characters[start..<index])
        guard case .number(let number)? = Self.json(text) else { throw fault("“\(text)” is not a number", at: start) }
        return number
    }

    private static func json(_ text: String) -> JSONValue? {
        do throws(BodyProblem) { return try JSONValue(parsing: text) } catch { return nil }
    }

    /// A text in quotes, with `\(…)` inside.
    private mutating func text() throws(JSONQueryError) -> JSONTerm {
        let open = index
        index += 1
        var parts: [JSONTerm] = []
        var source = ""
        func part() throws(JSONQueryError) -> JSONTerm {
            guard let value = Self.json("\"\(source)\"") else { throw fault("a text has an escape that does not exist", at: open) }
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
    private mutating func word(_ name: String, _ position: Int) throws(JSONQueryError) -> JSONTerm {
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
