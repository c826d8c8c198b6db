package import SortieBase

/// Imports the calls of `fetch` that browsers copy for scripts and for Node.js: strings and objects without expressions.
package enum FetchImport: ImportFormat {
    package static let name = "fetch"
    package static let title = "“Copy as fetch” of browsers"
    package static let endings = [".js", ".mjs"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        source.hasLine { line in
            let words = line.split(maxSplits: 2) { $0.isWhitespace || $0 == ";" }
            guard let call = words.first == "await" ? words.dropFirst().first : words.first,
                call.hasPrefix("fetch(") || FetchReader.globals.contains(where: { call.hasPrefix("\($0).fetch(") })
            else { return false }
            let argument = line[(line.firstRange(of: "fetch(")?.upperBound ?? line.endIndex)...].drop(while: \.isWhitespace)
            return argument.first.map { "\"'`".contains($0) } ?? true
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        try FetchReader.workspace(from: source, item: "fetch", request: "fetch")
    }
}

/// Reads calls of `fetch` with literal arguments.
struct FetchReader: ScriptReader {
    /// The types that browsers give to bodies (Fetch §5.2).
    private enum MediaType {
        static let text = "text/plain;charset=UTF-8"
        static let form = "application/x-www-form-urlencoded;charset=UTF-8"
    }

    /// The names of the object whose members are global.
    static let globals: Set = ["window", "globalThis", "self"]

    private var text: ScriptText
    /// Whether the current call has parameters of a form.
    private var hasParameters = false
    /// The ends of the last texts that are not closed, by their quote: all such quotes before the end are escaped.
    private var unclosed: [Unicode.Scalar: Int] = [:]

    init(_ text: String, file: String) {
        self.text = ScriptText(text, file: file)
    }

    /// The next call; nil at the end.
    mutating func next() -> Result<ScriptRequest, Diagnostic>? {
        // The position of a member of the global object.
        var global = -1
        while let scalar = text.peek() {
            if text.follows("//") {
                text.skipLine()
            } else if text.follows("/*") {
                skipComment()
            } else if ScriptText.isName(scalar) {
                let start = text.index
                let isMember = start > 0 && text.scalars[start - 1] == "." && start != global
                let word = text.take(while: ScriptText.isName)
                if Self.globals.contains(word), !isMember, text.take(".") { global = text.index }
                guard word == "fetch", !isMember else { continue }
                skipSpaces()
                guard text.take("(") else { continue }
                let place = text.place(at: start)
                do throws(Diagnostic) { return .success(try request(at: place)) } catch { return .failure(error) }
            } else if "\"'`".unicodeScalars.contains(scalar), text.index >= unclosed[scalar, default: 0] {
                let start = text.index
                do throws(Diagnostic) { _ = try string() } catch {
                    // A template with an expression has been passed; another quote is no text.
                    guard scalar != "`" || text.isAtEnd else { continue }
                    unclosed[scalar] = text.index
                    text.index = start + 1
                }
            } else {
                text.index += 1
            }
        }
        return nil
    }

    // MARK: Calls

    private mutating func request(at place: SourceLocation) throws(Diagnostic) -> ScriptRequest {
        var request = ScriptRequest(place: place)
        hasParameters = false
        guard let url = try value().string else { throw Diagnostic(place, "the URL of fetch is not a text; write it as a string") }
        request.url = url
        skipSpaces()
        var options: [SourceNode.Member] = []
        if text.take(",") {
            skipSpaces()
            if text.peek() != ")" { options = try value().members ?? [] }
            skipSpaces()
            _ = text.take(",")
            skipSpaces()
        }
        guard text.take(")") else { throw text.problem("the call of fetch has no “)” here; write its options as an object without expressions") }
        var referrer = ""
        var policy = "strict-origin-when-cross-origin"
        for option in options {
            let value = option.value
            switch option.name {
            case "method": request.method = value.text ?? "GET"
            case "headers": request.headers += Self.fields(value)
            case "body": request.body = value.text
            case "referrer": referrer = value.text ?? ""
            case "referrerPolicy": policy = value.text ?? policy
            case "credentials" where value.text == "include" || value.text == "same-origin":
                if request.field("cookie") == nil, !options.contains(where: { Self.hasCookie($0) }) {
                    request.notes.append((.omitted, "credentials: the cookies of the browser are not in the text; add the field Cookie"))
                }
            case "credentials": break
            case "redirect" where value.text == "follow": break
            case "redirect": request.notes.append((.changed, "redirect: redirects are followed; write redirects: 0 for none"))
            default:
                request.notes.append((.omitted, "\(option.name): a setting of browsers, which may add fields such as Origin and Sec-Fetch-Mode"))
            }
        }
        // A name in lower case is that of a standard method (Fetch §4.6).
        if ["get", "head", "post", "put", "delete", "options"].contains(request.method.lowercased()) { request.method = request.method.uppercased() }
        if request.body != nil, request.field("content-type") == nil {
            request.headers.append((name: "Content-Type", value: hasParameters ? MediaType.form : MediaType.text))
        }
        if request.field("referer") == nil, let value = Self.referer(referrer, policy, to: url) {
            request.headers.append((name: "Referer", value: value))
        }
        return request
    }

    private static func hasCookie(_ option: SourceNode.Member) -> Bool {
        option.name == "headers" && fields(option.value).contains { $0.name.lowercased() == "cookie" }
    }

    /// The fields of an object or of a list of pairs.
    private static func fields(_ value: SourceNode) -> [(name: String, value: String)] {
        if let members = value.members { return members.compactMap { member in member.value.text.map { (name: member.name, value: $0) } } }
        return (value.items ?? []).compactMap { item in
            guard let pair = item.items, pair.count == 2, let name = pair[0].text, let text = pair[1].text else { return nil }
            return (name: name, value: text)
        }
    }

    /// The field Referer of a request (Referrer Policy §3); nil for none.
    private static func referer(_ referrer: String, _ policy: String, to url: String) -> String? {
        guard let source = origin(of: referrer), policy != "no-referrer" else { return nil }
        let isSame = source == origin(of: url)
        switch policy {
        case "unsafe-url", "no-referrer-when-downgrade": return referrer
        case "same-origin": return isSame ? referrer : nil
        case "origin", "strict-origin": return source + "/"
        default: return isSame ? referrer : source + "/"
        }
    }

    private static func origin(of url: String) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        return url[..<start].lowercased() + url[start...].prefix { !"/?#".contains($0) }
    }

    // MARK: Literals

    private mutating func skipSpaces() {
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

    private mutating func skipComment() {
        text.index += 2
        while !text.isAtEnd, !text.take("*/") { text.index += 1 }
    }

    private mutating func value(depth: Int = 0) throws(Diagnostic) -> SourceNode {
        guard depth < JSONValue.depthLimit else { throw text.problem("the value is nested too deeply") }
        skipSpaces()
        var result = try single(depth: depth)
        skipSpaces()
        guard text.peek() == "+", var joined = result.string else { return result }
        while text.take("+") {
            skipSpaces()
            guard let right = try single(depth: depth).text else { throw text.problem("only texts are joined; write the value as one string") }
            joined += right
            skipSpaces()
        }
        result.content = .string(joined)
        return result
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
            return node(.number(text.take { $0.isASCII && ($0.properties.numericType != nil || "+-.eExX_".unicodeScalars.contains($0)) }))
        default: break
        }
        let word = text.take { ScriptText.isName($0) || $0 == "." }
        switch word {
        case "true", "false": return node(.bool(word == "true"))
        case "null", "undefined": return node(.null)
        case "JSON.stringify":
            return node(.string(try argument(depth: depth).json.compactText))
        case "new":
            skipSpaces()
            let type = text.take(while: ScriptText.isName)
            switch type {
            case "Headers": return try argument(depth: depth)
            case "URL": return node(.string(try argument(depth: depth).text ?? ""))
            case "URLSearchParams":
                hasParameters = true
                return node(.string(Self.form(try argument(depth: depth))))
            default: throw Diagnostic(place, "“new \(type)” is not read; write the value as a string")
            }
        default:
            throw Diagnostic(
                place, word.isEmpty ? "a value is expected here" : "“\(ForeignText.short(word))” is not known; write its value as a string")
        }
    }

    /// The first argument in parentheses; the others determine the layout of JSON.
    private mutating func argument(depth: Int) throws(Diagnostic) -> SourceNode {
        skipSpaces()
        guard text.take("(") else { throw text.problem("“(” is expected here") }
        let result = try value(depth: depth + 1)
        guard text.take(")") else { throw text.problem("“)” is expected here; only one argument is read") }
        return result
    }

    private static func form(_ value: SourceNode) -> String {
        if let text = value.string { return text.hasPrefix("?") ? String(text.dropFirst()) : text }
        return ScriptText.encoded(fields(value), allowed: .form)
    }

    private mutating func members(depth: Int) throws(Diagnostic) -> [SourceNode.Member] {
        var members: [SourceNode.Member] = []
        text.index += 1
        while true {
            skipSpaces()
            if text.take("}") { return members }
            let isQuoted = text.peek().map { "\"'".unicodeScalars.contains($0) } ?? false
            let name = isQuoted ? try string() : text.take(while: ScriptText.isName)
            guard isQuoted || !name.isEmpty else { throw text.problem("the name of a member is expected here") }
            skipSpaces()
            guard text.take(":") else { throw text.problem("“\(ForeignText.short(name))” has no value here; write NAME: VALUE") }
            members.append(.init(name, try value(depth: depth + 1)))
            guard text.take(",") || text.peek() == "}" else { throw text.problem("“,” or “}” is expected here") }
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

    /// A string, or a template without expressions.
    private mutating func string() throws(Diagnostic) -> String {
        guard text.take("`") else { return try text.javaScriptString() }
        let (value, isComplete) = try text.templateText()
        guard isComplete else {
            let problem = text.problem("expressions in a text are not evaluated; write the value")
            skipTemplate()
            throw problem
        }
        return value
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
