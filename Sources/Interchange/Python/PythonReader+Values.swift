internal import SortieBase

/// The values of a program in Python: literals, names, and calls whose result follows from the text.
extension PythonReader {
    /// Passes spaces and comments; also line breaks within brackets.
    mutating func skipSpaces() {
        while let scalar = text.peek() {
            if scalar.isSpaceOrTab || scalar == "\r" || brackets > 0 && scalar == "\n" {
                text.index += 1
            } else if scalar == "\\", text.peek(1) == "\n" {
                text.index += 2
            } else if scalar == "#", brackets > 0 {
                text.skipLine()
            } else {
                return
            }
        }
    }

    /// A value, or texts that `+` joins.
    ///
    /// - Parameter isText: Whether names whose values are not known are texts, so that `+` does not add numbers.
    mutating func value(depth: Int = 0, isText: Bool = false) throws(Diagnostic) -> SourceNode {
        guard depth < JSONValue.depthLimit else { throw text.problem("the value is nested too deeply") }
        skipSpaces()
        var result = try single(depth: depth)
        skipSpaces()
        while text.peek() == "+" {
            text.index += 1
            skipSpaces()
            let right = try single(depth: depth)
            guard let first = result.string, let second = right.string else {
                throw text.problem("only texts are joined; write the value as one string")
            }
            if !isText, let left = variables.name(in: first), let right = variables.name(in: second), !left.isEnvironment, !right.isEnvironment {
                throw text.problem("sums are not evaluated; write the value")
            }
            result.content = .string(first + second)
            skipSpaces()
        }
        return result
    }

    private mutating func single(depth: Int) throws(Diagnostic) -> SourceNode {
        let isLiteral = isString()
        var result = try primary(depth: depth)
        if isLiteral { result.content = .string(try formatted(result.string ?? "", depth: depth)) }
        while true {
            if text.take(".encode(") || text.take(".decode(") {
                brackets += 1
                skipSpaces()
                if isString() {
                    guard ["utf-8", "utf8", "ascii"].contains(try string().lowercased()) else { throw text.problem("the text is read in UTF-8 only") }
                }
                try close(")")
                guard result.string != nil else { throw text.problem("only texts are encoded; write the value as a string") }
            } else if text.peek() == "[", result.members != nil || result.items != nil {
                text.index += 1
                brackets += 1
                let key = try value(depth: depth + 1)
                try close("]")
                guard let item = key.string.flatMap({ result[$0] }) else { throw text.problem("the item is not known; write its value as a string") }
                result = item
            } else {
                return result
            }
        }
    }

    /// Passes a bracket that was opened.
    mutating func close(_ bracket: String) throws(Diagnostic) {
        skipSpaces()
        guard text.take(bracket) else { throw text.problem("“\(bracket)” is expected here") }
        brackets -= 1
    }

    private mutating func primary(depth: Int) throws(Diagnostic) -> SourceNode {
        let place = text.place(at: text.index)
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
        guard let scalar = text.peek() else { throw text.problem("the text ends within a value") }
        if isString() {
            var joined = ""
            while isString() {
                joined += try string()
                skipSpaces()
            }
            return node(.string(joined))
        }
        switch scalar {
        case "{": return node(.object(try dictionary(depth: depth)))
        case "[":
            text.index += 1
            return node(.array(try items(to: "]", depth: depth).values))
        case "(":
            text.index += 1
            let (values, isTuple) = try items(to: ")", depth: depth)
            return isTuple || values.isEmpty ? node(.array(values)) : values[0]
        case "-", ".", "0"..."9":
            let digits = text.take { $0.isASCII && ($0.properties.numericType != nil || "+-.eE_".unicodeScalars.contains($0)) }
            let number = digits.replacing("_", with: "")
            guard Double(number) != nil else { throw Diagnostic(place, "“\(ForeignText.short(digits))” is not evaluated; write the value") }
            return node(.number(number))
        default: break
        }
        let word = text.take { ScriptText.isName($0) || $0 == "." }
        switch word {
        case "True", "False": return node(.bool(word == "True"))
        case "None": return node(.null)
        default: break
        }
        if let known = try namedValue(word) { return known }
        if let environment = try environmentValue(word, at: place) { return node(.string(environment)) }
        if let unknown = unknownValue(word, at: place) { return node(.string(unknown)) }
        if text.peek() == "(", let made = try made(word, depth: depth, at: place) { return made }
        throw Diagnostic(place, word.isEmpty ? "a value is expected here" : "“\(ForeignText.short(word))” is not known; write its value as a string")
    }

    /// The result of a call; nil for a function that is not known.
    private mutating func made(_ word: String, depth: Int, at place: SourceLocation) throws(Diagnostic) -> SourceNode? {
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
        let whole = imported(word)
        let start = text.index
        switch whole {
        case "json.dumps":
            let arguments = try arguments(depth: depth + 1)
            guard arguments.values.count == 1, let style = JSONStyle(arguments.named) else {
                throw Diagnostic(place, "json.dumps is read with indent, ensure_ascii=False and separators=(\",\", \":\") only; write the text")
            }
            // A value that is only a name may have any type.
            if variables.name(in: arguments.values[0].string) != nil { return arguments.values[0] }
            return node(.string(Self.dumps(arguments.values[0], style)))
        case "base64.b64encode", "str", "urllib.parse.quote", "urllib.parse.quote_plus", "urllib.parse.urlencode":
            let arguments = try arguments(depth: depth + 1)
            guard arguments.values.count == 1, arguments.named.isEmpty else { break }
            let value = arguments.values[0]
            if whole == "urllib.parse.urlencode" { return value.string == nil ? node(.string(Self.encoded(value))) : nil }
            guard let text = value.string ?? (whole == "str" ? Self.textual(value) : nil) else { break }
            switch whole {
            case "base64.b64encode": return node(.string(variables.base64(of: text, at: place)))
            case "urllib.parse.quote": return node(.string(variables.encoded(text) { PercentEncoding.encode($0, except: "_.-~/") }))
            case "urllib.parse.quote_plus": return node(.string(variables.encoded(text, Self.quoted)))
            default: return node(.string(text))
            }
        case "open":
            let arguments = try arguments(depth: depth + 1)
            guard let path = arguments.values.first, path.string != nil else { break }
            _ = text.take(".read()")
            return path.made(.file)
        case "dict":
            let arguments = try arguments(depth: depth + 1)
            guard arguments.values.isEmpty else { break }
            return node(.object(arguments.named))
        case "requests.auth.HTTPBasicAuth", "httpx.BasicAuth":
            return node(.array(try arguments(depth: depth + 1).values))
        case "requests.auth.HTTPDigestAuth", "httpx.DigestAuth": return node(.array(try arguments(depth: depth + 1).values)).made(.digest)
        case "requests.Session", "requests.session", "requests.sessions.Session":
            _ = try arguments(depth: depth + 1)
            return node(.object([])).made(.session)
        case "httpx.Client", "httpx.AsyncClient":
            let named = try arguments(depth: depth + 1, ignoring: Self.ignored).named
            return node(.object(named + [.init("httpx", node(.bool(true)))])).made(.session)
        case "http.client.HTTPSConnection", "http.client.HTTPConnection":
            let arguments = try arguments(depth: depth + 1, ignoring: Self.ignored)
            guard let host = arguments.values.first?.string else { break }
            let port = arguments.values.dropFirst().first?.text ?? arguments.named.last { $0.name == "port" }?.value.text
            return node(.string("\(whole.hasSuffix("HTTPSConnection") ? "https" : "http")://\(host)\(port.map { ":" + $0 } ?? "")")).made(.connection)
        default: break
        }
        text.index = start
        return nil
    }

    /// The whole name of what a program imports.
    func imported(_ word: String) -> String {
        let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let module = imports[String(first)] else { return word }
        return parts.count > 1 ? module.hasPrefix("\(first).") ? word : "\(module).\(parts[1])" : module
    }

    /// The keyword arguments whose values do not change what is sent.
    static let ignored: Set = ["timeout", "stream", "hooks", "context", "transport", "limits", "event_hooks", "trust_env"]

    /// The arguments of a call from its bracket.
    mutating func arguments(
        depth: Int = 0, ignoring ignored: Set<String> = [], isURL: Bool = false
    ) throws(Diagnostic) -> (values: [SourceNode], named: [SourceNode.Member]) {
        var (values, named): ([SourceNode], [SourceNode.Member]) = ([], [])
        guard text.take("(") else { throw text.problem("“(” is expected here") }
        brackets += 1
        while true {
            skipSpaces()
            if text.take(")") {
                brackets -= 1
                return (values, named)
            }
            let start = text.index
            let name = isString() ? "" : text.take(while: ScriptText.isName)
            skipSpaces()
            if !name.isEmpty, text.peek() == "=", text.peek(1) != "=" {
                text.index += 1
                if ignored.contains(name) {
                    skipExpression()
                } else {
                    named.append(.init(name, try value(depth: depth, isText: isURL && name == "url")))
                }
            } else {
                text.index = start
                values.append(try value(depth: depth, isText: isURL && values.count < 2))
            }
            skipSpaces()
            guard text.take(",") || text.peek() == ")" else {
                throw text.problem("“,” or “)” is expected here; write the value without an expression")
            }
        }
    }

    /// Passes an expression to the comma or the bracket after it.
    private mutating func skipExpression() {
        var open = 0
        while let scalar = text.peek() {
            if isString() {
                let start = text.index
                do throws(Diagnostic) { _ = try string() } catch { text.index = max(text.index, start + 1) }
                continue
            }
            if "([{".unicodeScalars.contains(scalar) { open += 1 }
            if ")]}".unicodeScalars.contains(scalar) { open -= 1 }
            if open < 0 || open == 0 && scalar == "," { return }
            text.index += 1
        }
    }

    private mutating func items(to end: String, depth: Int) throws(Diagnostic) -> (values: [SourceNode], hasComma: Bool) {
        var (values, hasComma): ([SourceNode], Bool) = ([], false)
        brackets += 1
        while true {
            skipSpaces()
            if text.peek().map(String.init) == end { break }
            values.append(try value(depth: depth + 1))
            skipSpaces()
            if text.take(",") { hasComma = true } else if text.peek().map(String.init) != end { break }
        }
        try close(end)
        return (values, hasComma)
    }

    private mutating func dictionary(depth: Int) throws(Diagnostic) -> [SourceNode.Member] {
        var members: [SourceNode.Member] = []
        text.index += 1
        brackets += 1
        while true {
            skipSpaces()
            if text.peek() == "}" { break }
            if text.take("**") {
                guard let others = try value(depth: depth + 1).members else { throw text.problem("only dictionaries are merged; write the members") }
                members = Self.merged(members, with: others)
            } else {
                guard let name = Self.textual(try value(depth: depth + 1)) else { throw text.problem("the name of a member is expected here") }
                skipSpaces()
                guard text.take(":") else { throw text.problem("“\(ForeignText.short(name))” has no value here; write NAME: VALUE") }
                members.append(.init(name, try value(depth: depth + 1)))
            }
            skipSpaces()
            guard text.take(",") || text.peek() == "}" else { throw text.problem("“,” or “}” is expected here") }
        }
        try close("}")
        return members
    }

    // MARK: Texts

    /// A text with the values of `%` or `.format(…)` behind it.
    private mutating func formatted(_ format: String, depth: Int) throws(Diagnostic) -> String {
        var result = format
        while text.take(".format") {
            let arguments = try arguments(depth: depth + 1)
            result = try replacedFields(in: result, arguments.values, arguments.named)
        }
        let start = text.index
        skipSpaces()
        guard text.peek() == "%", text.peek(1) != "=" else {
            text.index = start
            return result
        }
        text.index += 1
        skipSpaces()
        let value = try single(depth: depth + 1)
        var values = (value.items ?? [value])[...]
        let parts = result.split(separator: "%", omittingEmptySubsequences: false)
        result = String(parts[0])
        var index = 1
        while index < parts.count {
            let part = parts[index]
            if part.isEmpty, index + 1 < parts.count {
                result += "%" + parts[index + 1]
                index += 2
                continue
            }
            guard let kind = part.first, "sdi".contains(kind), let value = values.popFirst().flatMap(Self.textual) else {
                throw text.problem("only %s and %d are read in a text; write the text in its place")
            }
            result += value + part.dropFirst()
            index += 1
        }
        guard values.isEmpty else { throw text.problem("the text has more values than places; write the text in its place") }
        return result
    }

    /// The text with values in place of `{}`, `{0}` and `{name}`.
    private mutating func replacedFields(
        in format: String, _ values: [SourceNode], _ named: [SourceNode.Member]
    ) throws(Diagnostic) -> String {
        var result = ""
        var rest = format[...]
        var position = 0
        while let character = rest.popFirst() {
            if "{}".contains(character), rest.first == character {
                rest.removeFirst()
                result.append(character)
            } else if character == "{" {
                // A width or a notation of numbers, as in {0:02d}, is not calculated.
                let field = rest.firstIndex(of: "}").map { rest[..<$0] } ?? ""
                let index = field.isEmpty ? position : Int(field)
                let value = index.map { values.indices.contains($0) ? values[$0] : nil } ?? named.last { $0.name == field }?.value
                guard let value = value.flatMap(Self.textual), rest.count > field.count else {
                    throw text.problem("this text of format(…) is not read; write the text in its place")
                }
                if field.isEmpty { position += 1 }
                result += value
                rest = rest.dropFirst(field.count + 1)
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The text of a value in a form or a query.
    static func textual(_ value: SourceNode) -> String? {
        if case .bool(let isTrue) = value.content { return isTrue ? "True" : "False" }
        return value.text
    }

    /// A text as `quote_plus` encodes it.
    static func quoted(_ text: String) -> String { PercentEncoding.encode(text, except: "_.-~ ").replacing(" ", with: "+") }

    /// A dictionary or a list of pairs as a form; values that are `None` are not sent.
    static func encoded(_ value: SourceNode) -> String {
        var rows: [(String, SourceNode)] = value.members?.map { ($0.name, $0.value) } ?? []
        for pair in value.members == nil ? value.items ?? [] : [] {
            guard let items = pair.items, items.count == 2, let name = textual(items[0]) else { continue }
            rows.append((name, items[1]))
        }
        return rows.flatMap { name, value in
            (value.items ?? [value]).compactMap(textual).map { "\(quoted(name))=\(quoted($0))" }
        }.joined(separator: "&")
    }

    /// Whether a string is at the position, with its prefix.
    func isString() -> Bool {
        var distance = 0
        while distance < 3, let scalar = text.peek(distance), "rRbBfFuU".unicodeScalars.contains(scalar) { distance += 1 }
        guard let quote = text.peek(distance), quote == "\"" || quote == "'" else { return false }
        guard distance > 0, text.index > 0 else { return true }
        return !ScriptText.isName(text.scalars[text.index - 1])
    }

    /// Passes a string, and returns its value.
    mutating func string() throws(Diagnostic) -> String {
        let prefix = text.take { "rRbBfFuU".unicodeScalars.contains($0) }.lowercased()
        guard let quote = text.peek() else { return "" }
        let mark = String(repeating: String(quote), count: 3)
        let end = text.take(mark) ? mark : String(quote)
        if end.count == 1 { text.index += 1 }
        var result = String.UnicodeScalarView()
        while let scalar = text.peek() {
            if text.take(end) { return String(result) }
            text.index += 1
            switch scalar {
            case "\n" where end.count == 1: throw text.problem("the text is not closed; write \(end) after it")
            case "\\":
                if prefix.contains("r") {
                    result.append(scalar)
                    if let next = text.peek() { result.append(next) }
                    text.index += 1
                } else {
                    result += try escaped(isBytes: prefix.contains("b")).unicodeScalars
                }
            case "{" where prefix.contains("f") && !text.take("{"): result += try inserted(to: end).unicodeScalars
            case "}" where prefix.contains("f"):
                _ = text.take("}")
                result.append(scalar)
            default: result.append(scalar)
            }
        }
        throw text.problem("the text is not closed; write \(end) after it")
    }

    /// The text of an expression of a string, after its brace; where it is not known, the string is passed.
    private mutating func inserted(to end: String) throws(Diagnostic) -> String {
        let open = brackets
        do throws(Diagnostic) {
            brackets += 1
            let value = try value()
            guard text.take("}"), let inserted = Self.textual(value) else {
                throw text.problem("expressions in a text are not evaluated; write the value")
            }
            brackets = open
            return inserted
        } catch {
            brackets = open
            while !text.isAtEnd, !text.take(end) {
                if end.count == 1, text.peek() == "\n" { break }
                text.index += 1
            }
            throw error
        }
    }

    private mutating func escaped(isBytes: Bool) throws(Diagnostic) -> String {
        guard let scalar = text.peek() else { throw text.problem("the text is not closed") }
        text.index += 1
        func number(_ digits: String, _ radix: Int) throws(Diagnostic) -> String {
            guard let value = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(value), !isBytes || value < 0x80 else {
                throw text.problem(
                    isBytes ? "bytes that are not ASCII are not read; write them into a file" : "this is not the number of a character")
            }
            return String(scalar)
        }
        func digits(_ count: Int) throws(Diagnostic) -> String {
            let end = min(text.index + count, text.scalars.count)
            let digits = String(String.UnicodeScalarView(text.scalars[text.index..<end]))
            text.index = end
            return try number(digits, 16)
        }
        switch scalar {
        case "\n": return ""
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "a": return "\u{7}"
        case "v": return "\u{b}"
        case "\\", "'", "\"": return String(scalar)
        case "x": return try digits(2)
        case "u" where !isBytes: return try digits(4)
        case "U" where !isBytes: return try digits(8)
        case "N" where !isBytes: throw text.problem("names of characters are not read; write the character")
        case "0"..."7":
            var octal = String(scalar)
            while octal.count < 3, let next = text.peek(), ("0"..."7").contains(next) {
                octal.unicodeScalars.append(next)
                text.index += 1
            }
            return try number(octal, 8)
        default: return "\\" + String(scalar)
        }
    }
}
