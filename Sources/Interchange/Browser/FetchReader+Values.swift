internal import SortieBase

/// The objects of a script whose use depends on their class: a value with one member, whose name is not one of a script that is copied.
enum ScriptClass: String {
    case headers = "new Headers"
    case parameters = "new URLSearchParams"
    case form = "new FormData"
    case request = "new Request"
    case axios = "axios.create"
    case file = "open"
    case session = "requests.Session"
    case connection = "http.client"
    case digest = "HTTPDigestAuth"
}

extension SourceNode {
    /// What an object of a class was made of; nil for another value.
    func instance(of type: ScriptClass) -> SourceNode? {
        guard let members, members.count == 1, members[0].name == type.rawValue else { return nil }
        return members[0].value
    }

    /// An object of a class with this content.
    func made(_ type: ScriptClass) -> SourceNode { SourceNode(.object([.init(type.rawValue, self)]), line: line, column: column) }
}

extension ScriptRequest {
    /// Sets the body to a value of a script.
    mutating func setBody(_ value: SourceNode) {
        if let parts = value.instance(of: .form) { self.parts = parts } else { body = FetchReader.textual(value) }
    }
}

/// The values of a script: literals, and names of them.
extension FetchReader {
    /// The options of calls whose values do not change the request, and are often functions or objects.
    static let ignored: Set = [
        "signal", "cancelToken", "agent", "httpAgent", "httpsAgent", "dispatcher", "validateStatus", "transformResponse", "onUploadProgress",
        "onDownloadProgress", "success", "error", "complete",
    ]

    mutating func skipSpaces() {
        while let scalar = text.peek() {
            if scalar.properties.isWhitespace {
                text.index += 1
            } else if text.follows("//") {
                text.skipLine()
            } else if text.follows("/*") {
                skipComment()
            } else {
                return
            }
        }
    }

    mutating func skipComment() {
        text.index += 2
        while !text.isAtEnd, !text.take("*/") { text.index += 1 }
    }

    /// The text of a string, a number, a truth value or parameters; nil for other values.
    static func textual(_ value: SourceNode) -> String? { value.instance(of: .parameters).map(form) ?? value.text }

    static func form(_ value: SourceNode) -> String {
        if let text = value.string { return text.hasPrefix("?") ? String(text.dropFirst()) : text }
        return ScriptText.encoded(fields(value), allowed: .form)
    }

    /// The arguments of a call after its parenthesis.
    mutating func arguments(of function: String) throws(Diagnostic) -> [SourceNode] {
        var values: [SourceNode] = []
        while true {
            skipSpaces()
            if text.take(")") { return values }
            values.append(try value(isText: values.isEmpty))
            guard text.take(",") || text.peek() == ")" else {
                throw text.problem("the call of \(function) has no “)” here; write its options as an object without expressions")
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
        while text.take(".toString()") { result.content = .string(try joinable(result)) }
        skipSpaces()
        guard text.peek() == "+" else { return result }
        var joined = try joinable(result)
        var canBeNumber = canBeNumber(result, isText: isText)
        while text.take("+") {
            skipSpaces()
            let next = try single(depth: depth)
            if canBeNumber, self.canBeNumber(next, isText: isText) { throw text.problem("sums are not evaluated; write the value") }
            canBeNumber = false
            joined += try joinable(next)
            skipSpaces()
        }
        result.content = .string(joined)
        return result
    }

    private func canBeNumber(_ value: SourceNode, isText: Bool) -> Bool {
        if case .number = value.content { true } else { !isText && variables.name(in: value.string).map { !$0.isEnvironment } ?? false }
    }

    /// A number; a sign in it follows the letter of its exponent.
    private mutating func number() -> String {
        var last: Unicode.Scalar?
        let isHexadecimal = text.follows("0x") || text.follows("0X")
        return text.take { scalar in
            let isSign = "+-".unicodeScalars.contains(scalar)
            let isExponent = last == "e" || last == "E"
            guard isSign ? last == nil || isExponent && !isHexadecimal : ScriptText.isName(scalar) && scalar.isASCII || scalar == "." else {
                return false
            }
            last = scalar
            return true
        }
    }

    private mutating func joinable(_ value: SourceNode) throws(Diagnostic) -> String {
        guard let part = Self.textual(value) else { throw text.problem("only texts are joined; write the value as one string") }
        return part
    }

    private mutating func single(depth: Int) throws(Diagnostic) -> SourceNode {
        let place = text.place(at: text.index)
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
        guard let scalar = text.peek() else { throw text.problem("the text ends within a value") }
        switch scalar {
        case "{": return node(.object(try members(depth: depth)))
        case "[": return node(.array(try items(depth: depth)))
        case "\"", "'", "`": return node(.string(try string()))
        case "-", ".", "0"..."9":
            return node(.number(number()))
        default: break
        }
        let start = text.index
        var word = text.take { ScriptText.isName($0) || $0 == "." }
        if word.hasSuffix(".toString"), text.follows("()") {
            word.removeLast(".toString".count)
            text.index -= ".toString".count
        }
        switch word {
        case "true", "false": return node(.bool(word == "true"))
        case "null", "undefined": return node(.null)
        case "Infinity": return node(.number(word))
        case "JSON.stringify":
            let value = try argument(depth: depth)
            // A value that is only a name may have any type.
            return node(.string(variables.name(in: value.string) != nil ? value.text ?? "" : value.json.compactText))
        case "btoa": return node(.string(variables.base64(of: try joinable(try argument(depth: depth)), at: place)))
        case "encodeURIComponent":
            let part = try joinable(try argument(depth: depth))
            return node(.string(variables.encoded(part) { PercentEncoding.encode($0, except: "-_.!~*'()") }))
        case "String": return node(.string(try joinable(try argument(depth: depth))))
        case "qs.stringify", "querystring.stringify", "Qs.stringify":
            return node(.string(ScriptText.encoded(Self.rows(of: try argument(depth: depth), listSuffix: nil), allowed: .unreserved)))
        case "axios.create":
            // The options have those members that do not change a request, too.
            let options = try optionalArgument(depth: depth - 1) ?? node(.object([]))
            return (options.members.map { node(.object(axiosDefaults + $0)) } ?? options).made(.axios)
        case "new": return try instance(depth: depth, at: place)
        default: break
        }
        if let known = try namedValue(word) { return known }
        if let unknown = unknownValue(word, at: place) { return node(.string(unknown)) }
        throw Diagnostic(
            place,
            word.isEmpty || start == text.index
                ? "a value is expected here" : "“\(ForeignText.short(word))” is not known; write its value as a string")
    }

    private mutating func instance(depth: Int, at place: SourceLocation) throws(Diagnostic) -> SourceNode {
        skipSpaces()
        let type = text.take(while: ScriptText.isName)
        func empty() -> SourceNode { SourceNode(.array([]), line: place.line, column: place.column) }
        switch type {
        case "Headers":
            let value = try optionalArgument(depth: depth) ?? empty()
            try variables.refuse(value, file: text.file)
            return Self.pairs(value).made(.headers)
        case "URL": return try argument(depth: depth)
        case "URLSearchParams":
            let value = try optionalArgument(depth: depth) ?? empty()
            return (value.instance(of: .parameters) ?? (value.string == nil ? Self.pairs(value) : value)).made(.parameters)
        case "FormData":
            guard try optionalArgument(depth: depth) == nil else { throw Diagnostic(place, "a form of a page is not known; append its fields") }
            return empty().made(.form)
        case "Request":
            skipSpaces()
            guard text.take("(") else { throw text.problem("“(” is expected here") }
            let arguments = try arguments(of: "Request")
            return SourceNode(.array(arguments), line: place.line, column: place.column).made(.request)
        default: throw Diagnostic(place, "“new \(type)” is not read; write the value as a string")
        }
    }

    /// An object as a list of pairs, to which others can be appended.
    private static func pairs(_ value: SourceNode) -> SourceNode {
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: value.line, column: value.column) }
        return node(.array(fields(value).map { node(.array([node(.string($0.name)), node(.string($0.value))])) }))
    }

    /// The first argument in parentheses; the others determine the layout of JSON.
    private mutating func argument(depth: Int) throws(Diagnostic) -> SourceNode {
        guard let result = try optionalArgument(depth: depth) else { throw text.problem("a value is expected here") }
        return result
    }

    private mutating func optionalArgument(depth: Int) throws(Diagnostic) -> SourceNode? {
        skipSpaces()
        guard text.take("(") else { throw text.problem("“(” is expected here") }
        skipSpaces()
        if text.take(")") { return nil }
        let result = try value(depth: depth + 1)
        guard text.take(")") else { throw text.problem("“)” is expected here; only one argument is read") }
        return result
    }

    private mutating func members(depth: Int) throws(Diagnostic) -> [SourceNode.Member] {
        var members: [SourceNode.Member] = []
        text.index += 1
        while true {
            skipSpaces()
            if text.take("}") { return members }
            if text.take("...") {
                let spread = try value(depth: depth + 1)
                guard let others = spread.members else { throw text.problem("only objects are spread; write the members") }
                members += others
            } else {
                members.append(try member(depth: depth))
            }
            skipSpaces()
            guard text.take(",") || text.peek() == "}" else { throw text.problem("“,” or “}” is expected here") }
        }
    }

    private mutating func member(depth: Int) throws(Diagnostic) -> SourceNode.Member {
        let start = text.index
        let isQuoted = text.peek().map { "\"'".unicodeScalars.contains($0) } ?? false
        let name = isQuoted ? try string() : text.take(while: ScriptText.isName)
        guard isQuoted || !name.isEmpty else { throw text.problem("the name of a member is expected here") }
        skipSpaces()
        if !isQuoted, text.peek() == "," || text.peek() == "}" {
            if let value = try namedValue(name) { return .init(name, value) }
            let place = text.place(at: start)
            func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
            if depth == 0, Self.ignored.contains(name) { return .init(name, node(.null)) }
            guard let value = unknownValue(name, at: place) else {
                throw text.problem("“\(ForeignText.short(name))” is not known; write its value as a string")
            }
            return .init(name, node(.string(value)))
        }
        if depth == 0, Self.ignored.contains(name), text.peek() == ":" || text.peek() == "(" {
            let place = text.place(at: text.index)
            skipExpression()
            return .init(name, SourceNode(.null, line: place.line, column: place.column))
        }
        guard text.take(":") else { throw text.problem("“\(ForeignText.short(name))” has no value here; write NAME: VALUE") }
        return .init(name, try value(depth: depth + 1))
    }

    /// Passes an expression to the comma or the bracket after it.
    mutating func skipExpression() {
        var open = 0
        while let scalar = text.peek() {
            if "\"'`".unicodeScalars.contains(scalar) {
                let start = text.index
                do throws(Diagnostic) { _ = try string() } catch { text.index = max(text.index, start + 1) }
                continue
            }
            if "([{".unicodeScalars.contains(scalar) { open += 1 }
            if ")]}".unicodeScalars.contains(scalar) { open -= 1 }
            if open < 0 || open == 0 && (scalar == "," || scalar == ";") { return }
            text.index += 1
        }
    }

    private mutating func items(depth: Int) throws(Diagnostic) -> [SourceNode] {
        var items: [SourceNode] = []
        text.index += 1
        while true {
            skipSpaces()
            if text.take("]") { return items }
            items.append(try value(depth: depth + 1))
            guard text.take(",") || text.peek() == "]" else { throw text.problem("“,” or “]” is expected here") }
        }
    }

    /// A string, or a template whose expressions are known.
    mutating func string() throws(Diagnostic) -> String {
        guard text.take("`") else { return try text.javaScriptString() }
        var result = ""
        while true {
            let (part, isComplete) = try text.templateText()
            result += part
            if isComplete { return result }
            do throws(Diagnostic) {
                result += try joinable(try value())
                guard text.take("}") else { throw text.problem("expressions in a text are not evaluated; write the value") }
            } catch {
                skipTemplate()
                throw error
            }
        }
    }

    /// Passes the rest of a template, whose last quote would otherwise begin another one, with the calls after it.
    private mutating func skipTemplate() {
        while let scalar = text.peek() {
            text.index += 1
            if scalar == "`" { return }
            if scalar == "\\", !text.isAtEnd { text.index += 1 }
        }
    }
}
