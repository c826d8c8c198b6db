internal import SortieBase

/// The values of scripts of PowerShell: texts, tables, lists and variables.
extension PowerShellReader {
    /// The name of the member of a file that a form has.
    static let file = "Get-Item"
    /// The names of the members of a login.
    static let userName = "username"
    static let password = "password"

    /// The value of a parameter, in which a word may have variables: `$base/path`.
    mutating func argument() throws(Diagnostic) -> JSONValue {
        skipBlanks()
        guard text.peek() == "$", text.peek(1) != "(" else { return try value() }
        let first = try value()
        guard let next = text.peek(), !next.properties.isWhitespace, !";|(){},".unicodeScalars.contains(next) else { return first }
        guard next != ".", next != "[" else { throw text.problem("expressions are not evaluated; write the value as a text") }
        return .string(try text(of: first) + word())
    }

    /// The rest of a word without quotes.
    ///
    /// - Parameter isElement: Whether it ends at a comma.
    private mutating func word(isElement: Bool = false) throws(Diagnostic) -> String {
        var units: [UInt16] = []
        while let scalar = text.peek(), !scalar.properties.isWhitespace, !";|(){}".unicodeScalars.contains(scalar), !(isElement && scalar == ",") {
            units += try character()
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Passes blanks and the ends of lines after a backtick.
    mutating func skipBlanks() {
        while let scalar = text.peek() {
            if scalar.isSpaceOrTab {
                text.index += 1
            } else if scalar == "`", text.peek(1) == "\n" {
                text.index += 2
            } else {
                return
            }
        }
    }

    /// The name of a variable at its `$`, in lower case.
    mutating func variable() -> String {
        guard text.take("$") else { return "" }
        let isBraced = text.take("{")
        let name = text.take { ScriptText.isName($0) && $0 != "$" || $0 == ":" }
        if isBraced { _ = text.take("}") }
        if spellings[name.lowercased()] == nil { spellings[name.lowercased()] = name }
        return name.lowercased()
    }

    /// The placeholder for a variable whose value is not known; nil for one of the program, such as `$_`.
    private mutating func unknownValue(_ name: String, members: String) -> String? {
        let place = text.place(at: text.index)
        let written = (spellings[name] ?? name) + members
        if name.hasPrefix("env:") {
            return variables.text(ofEnvironment: String(written.dropFirst("env:".count)), written: "$\(written)", at: place)
        }
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic, !name.contains(":") else { return nil }
        return variables.text(of: "$\(written)", at: place)
    }

    /// Passes a path of members, and returns it; empty where a method or an index follows.
    private mutating func members() -> String {
        let start = text.index
        while text.peek() == ".", let next = text.peek(1), next.properties.isAlphabetic {
            text.index += 1
            _ = text.take { ScriptText.isName($0) && $0 != "$" }
        }
        if let next = text.peek(), "([".unicodeScalars.contains(next) { text.index = start }
        return String(String.UnicodeScalarView(text.scalars[start..<text.index]))
    }

    /// Whether a value may be a number, so that `+` adds it.
    private func canBeNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .number: true
        case .string(let text): variables.name(in: text).map { !$0.isEnvironment } ?? false
        case .null, .bool, .array, .object: false
        }
    }

    /// The value of a variable where it is used.
    ///
    /// - Parameters:
    ///   - members: The path of members behind a variable whose value is not known, such as `.id`.
    ///   - isInside: Whether it is within a table or a list, whose levels also use the stack.
    mutating func known(_ name: String, members: String = "", isInside: Bool = false) throws(Diagnostic) -> JSONValue {
        guard let known = values[name] else {
            guard let unknown = unknownValue(name, members: members) else {
                throw text.problem("the value of $\(name) is not known; write it in its place")
            }
            guard unknown.utf8.count <= budget else { throw text.problem("the values of variables are too long together") }
            budget -= unknown.utf8.count
            return .string(unknown)
        }
        let size = if case .string(let text) = known { text.utf8.count } else { known.compactText.utf8.count * (isInside ? 16 : 1) }
        guard size <= budget else { throw text.problem("the values of variables are too long together; write that of $\(name) in its place") }
        budget -= size
        return known
    }

    mutating func string() throws(Diagnostic) -> String { try text(of: value()) }

    /// The text of a value as PowerShell writes it.
    mutating func text(of value: JSONValue) throws(Diagnostic) -> String {
        switch value {
        case .string(let text), .number(let text): return text
        case .bool(let isTrue): return isTrue ? "True" : "False"
        case .null: return ""
        case .array, .object: throw text.problem("a text is expected here, not a table")
        }
    }

    mutating func rows(_ members: [JSONValue.Member]) throws(Diagnostic) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        for member in members { rows.append((name: member.key, value: try text(of: member.value))) }
        return rows
    }

    /// A value, texts that `+` joins or `-f` formats, or the JSON that `ConvertTo-Json` makes of a value.
    mutating func expression(depth: Int = 0) throws(Diagnostic) -> JSONValue {
        var result = try operand(depth: depth)
        while true {
            skipBlanks()
            if text.take("+") {
                let start = try text(of: result)
                let next = try operand(depth: depth)
                if canBeNumber(result), canBeNumber(next) { throw text.problem("sums are not evaluated; write the value") }
                result = .string(start + (try text(of: next)))
            } else if takeConversion() {
                // A value that is only a name may have any type.
                if case .string(let name) = result, variables.name(in: name) != nil { continue }
                result = .string(result.compactText)
            } else {
                return result
            }
        }
    }

    /// A value, or a text with the values behind `-f` in place of `{0}`, `{1}` and so on.
    private mutating func operand(depth: Int) throws(Diagnostic) -> JSONValue {
        let format = try value(depth: depth)
        let start = text.index
        skipBlanks()
        guard text.take("-f ", ignoringCase: true) else {
            text.index = start
            return format
        }
        var values: [String] = []
        repeat {
            values.append(try text(of: value(depth: depth, isElement: true)))
            skipBlanks()
        } while text.take(",")
        var result = ""
        var rest = try text(of: format)[...]
        while let character = rest.popFirst() {
            if "{}".contains(character), rest.first == character {
                rest.removeFirst()
                result.append(character)
            } else if character == "{" {
                // A width or a notation of numbers, as in {0:D2}, is not calculated.
                guard let end = rest.firstIndex(of: "}"), let index = Int(rest[..<end]), values.indices.contains(index) else {
                    throw text.problem("this format of -f is not read; write the text in its place")
                }
                result += values[index]
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(character)
            }
        }
        return .string(result)
    }

    /// A login: `New-Object PSCredential(USER, SECRET)`, also with `-ArgumentList`, or `[PSCredential]::new(USER, SECRET)`; nil for another text.
    mutating func login(depth: Int = 0) throws(Diagnostic) -> JSONValue? {
        let start = text.index
        let isCommand = text.take("New-Object ", ignoringCase: true)
        skipBlanks()
        if isCommand { _ = text.take("-TypeName ", ignoringCase: true) }
        let hasType = isCommand || text.take("[")
        let type = hasType ? text.take { ScriptText.isName($0) || $0 == "." }.lowercased() : ""
        guard type == "pscredential" || type == "system.management.automation.pscredential", isCommand || text.take("]::new") else {
            text.index = start
            return nil
        }
        skipBlanks()
        _ = text.take("-ArgumentList ", ignoringCase: true)
        skipBlanks()
        let isInParentheses = text.take("(")
        let user = try text(of: value(depth: depth + 1, isElement: true))
        skipBlanks()
        guard text.take(",") else { throw text.problem("“,” is expected here") }
        let password = try text(of: value(depth: depth + 1, isElement: true))
        skipBlanks()
        guard !isInParentheses || text.take(")") else { throw text.problem("“)” is expected here") }
        return .object([.init(Self.userName, .string(user)), .init(Self.password, .string(password))])
    }

    /// The text of `ConvertTo-SecureString`; nil for another text.
    mutating func secureString(depth: Int = 0) throws(Diagnostic) -> JSONValue? {
        guard text.take("ConvertTo-SecureString ", ignoringCase: true) else { return nil }
        let secret = try fileName(depth: depth)
        _ = text.take { !"),;\n".unicodeScalars.contains($0) }
        return secret
    }

    /// Passes `| ConvertTo-Json` with its options; false where something else follows.
    mutating func takeConversion() -> Bool {
        let start = text.index
        guard text.take("|") else { return false }
        skipBlanks()
        guard text.take("ConvertTo-Json", ignoringCase: true) else {
            text.index = start
            return false
        }
        skipBlanks()
        while text.peek() == "-" {
            _ = text.take { !$0.properties.isWhitespace && !";|(){}".unicodeScalars.contains($0) }
            skipBlanks()
            _ = text.take { $0.properties.numericType != nil }
            skipBlanks()
        }
        return true
    }

    mutating func value(depth: Int = 0, isElement: Bool = false) throws(Diagnostic) -> JSONValue {
        skipBlanks()
        guard depth < JSONValue.depthLimit else { throw text.problem("the value is nested too deeply") }
        guard let scalar = text.peek() else { throw text.problem("the command ends before its value") }
        switch scalar {
        case "\"": return .string(try expandable())
        case "'": return .string(try literal())
        case "@":
            if text.follows("@{") { return .object(try table(depth: depth + 1)) }
            if text.follows("@(") { return .array(try list(depth: depth + 1)) }
            return .string(try lines())
        case "(":
            text.index += 1
            skipBlanks()
            var inner = try secureString(depth: depth + 1)
            if inner == nil { inner = try login(depth: depth + 1) }
            if let inner {
                skipBlanks()
                guard text.take(")") else { throw text.problem("expressions are not evaluated; write the value as a text") }
                return inner
            }
            // The conversion of a text to bytes, which browsers write for other characters than those of ASCII.
            let isBytes = text.take("[System.Text.Encoding]::UTF8.GetBytes(", ignoringCase: true)
            let result = try expression(depth: depth + 1)
            skipBlanks()
            guard text.take(")"), !isBytes || text.take(")") else { throw text.problem("expressions are not evaluated; write the value as a text") }
            return result
        case "[":
            // A type, as in `[ordered]@{…}`.
            _ = text.take { $0 != "]" && $0 != "\n" }
            guard text.take("]"), let next = text.peek(), "@\"'".unicodeScalars.contains(next) else {
                throw text.problem("expressions are not evaluated; write the value as a text")
            }
            return try value(depth: depth + 1)
        case "$":
            let name = variable()
            switch name {
            case "true", "false": return .bool(name == "true")
            case "null": return .null
            default: break
            }
            return try known(name, members: values[name] == nil ? members() : "", isInside: depth > 0)
        default:
            let word = try word(isElement: isElement)
            guard !word.isEmpty else { throw text.problem("a value is expected here") }
            if word.lowercased() == Self.file.lowercased() { return .object([.init(Self.file, try fileName(depth: depth + 1))]) }
            return Self.isNumber(word) ? .number(word) : .string(word)
        }
    }

    /// The argument of a command within a value, also after the name of its parameter.
    private mutating func fileName(depth: Int) throws(Diagnostic) -> JSONValue {
        skipBlanks()
        for name in ["-LiteralPath ", "-Path ", "-String "] where text.take(name, ignoringCase: true) { break }
        return try value(depth: depth)
    }

    /// Whether a word is a number in the notation of JSON.
    private static func isNumber(_ word: String) -> Bool {
        let digits = word.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard word.filter({ $0 == "-" }).count <= 1, digits.count <= 2, let whole = digits.first else { return false }
        return digits.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } && (whole == "0" || whole.first != "0")
    }

    /// `@(value, …)`.
    mutating func list(depth: Int) throws(Diagnostic) -> [JSONValue] {
        var items: [JSONValue] = []
        text.index += 2
        while true {
            _ = text.take { $0.properties.isWhitespace || $0 == "," }
            if text.take(")") { return items }
            guard !text.isAtEnd else { throw text.problem("the list is not closed; write ) after it") }
            items.append(try value(depth: depth, isElement: true))
        }
    }

    mutating func literal() throws(Diagnostic) -> String {
        text.index += 1
        var result = ""
        while let scalar = text.peek() {
            text.index += 1
            if scalar == "'", !text.take("'") { return result }
            result.unicodeScalars.append(scalar)
        }
        throw text.problem("the text is not closed; write ' after it")
    }

    /// A text in double quotes, with backticks, `$([char]NUMBER)` and variables.
    mutating func expandable() throws(Diagnostic) -> String {
        text.index += 1
        var units: [UInt16] = []
        while let scalar = text.peek() {
            if scalar == "\"" {
                text.index += 1
                if !text.take("\"") { return String(decoding: units, as: UTF16.self) }
                units.append(0x22)
            } else {
                units += try character()
            }
        }
        throw text.problem("the text is not closed; write \" after it")
    }

    /// The next character of a text with expansions, or what it stands for.
    mutating func character() throws(Diagnostic) -> [UInt16] {
        guard let scalar = text.peek() else { return [] }
        if scalar == "$" { return try expansion() }
        text.index += 1
        guard scalar == "`", let escape = text.peek() else { return Array(String(scalar).utf16) }
        text.index += 1
        return PowerShellEscape.byte(of: escape).map { [UInt16($0)] } ?? Array(String(escape).utf16)
    }

    mutating func expansion() throws(Diagnostic) -> [UInt16] {
        if text.take("$([char]", ignoringCase: true) {
            let digits = text.take { $0 != ")" && $0 != "\"" }
            guard text.take(")"), let unit = digits.hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits) else {
                throw text.problem("this is not the number of a character")
            }
            return [unit]
        }
        guard let next = text.peek(1), ScriptText.isName(next) && next != "$" || next == "{" || next == "(" else {
            text.index += 1
            return [0x24]
        }
        if text.take("$(") {
            skipBlanks()
            let inner = text.peek() == "$" ? try text(of: value()) : ""
            skipBlanks()
            guard text.take(")") else { throw text.problem("expressions are not evaluated; write the value as a text") }
            return Array(inner.utf16)
        }
        let name = variable()
        return Array(try text(of: known(name)).utf16)
    }

    /// `@{ "name" = "value"; … }`.
    mutating func table(depth: Int) throws(Diagnostic) -> [JSONValue.Member] {
        var rows: [JSONValue.Member] = []
        text.index += 2
        while true {
            _ = text.take { $0.properties.isWhitespace || $0 == ";" }
            if text.take("}") { return rows }
            guard let scalar = text.peek() else { throw text.problem("the table is not closed; write } after it") }
            let name =
                switch scalar {
                case "\"": try expandable()
                case "'": try literal()
                default: text.take { !$0.properties.isWhitespace && !"=;{}".unicodeScalars.contains($0) }
                }
            skipBlanks()
            guard text.take("=") else { throw text.problem("“=” is expected here") }
            rows.append(.init(name, try value(depth: depth)))
        }
    }

    /// `@"` or `@'`, lines, and the quote with `@`.
    mutating func lines() throws(Diagnostic) -> String {
        guard let quote = text.peek(1), quote == "\"" || quote == "'", text.peek(2) == "\n" else { throw text.problem("a value is expected here") }
        text.index += 3
        var units: [UInt16] = []
        while let scalar = text.peek(), !text.follows("\n\(quote)@") {
            if quote == "\"" {
                units += try character()
            } else {
                units += Array(String(scalar).utf16)
                text.index += 1
            }
        }
        guard text.take("\n\(quote)@") else { throw text.problem("the text is not closed; write \(quote)@ alone on the line after it") }
        return String(decoding: units, as: UTF16.self)
    }
}
