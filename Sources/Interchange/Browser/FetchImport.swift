package import SortieBase

/// Imports calls of `fetch`, as browsers and Postman copy them, and of axios: literal values, and constants with such values.
package enum FetchImport: ImportFormat {
    package static let name = "fetch"
    package static let title = "JavaScript with calls of fetch or axios, also “Copy as fetch” of browsers"
    package static let endings = [".js", ".mjs", ".cjs", ".ts"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        source.hasLine { line in
            var line = line.drop(while: \.isWhitespace)
            if line.hasPrefix("import "), ["\"axios\"", "'axios'"].contains(where: line.contains) { return true }
            for declaration in ["const ", "let ", "var "] where line.hasPrefix(declaration) {
                guard let equals = line.firstIndex(of: "=") else { return false }
                line = line[line.index(after: equals)...]
                if ["(\"axios\")", "('axios')"].contains(where: line.contains) { return true }
            }
            let words = line.split(maxSplits: 2) { $0.isWhitespace || $0 == ";" }
            guard let call = ["await", "return"].contains(words.first) ? words.dropFirst().first : words.first else { return false }
            let functions = ["fetch("] + FetchReader.globals.map { "\($0).fetch(" } + ["axios("] + FetchReader.axiosMethods.map { "axios.\($0)(" }
            guard let function = functions.first(where: call.hasPrefix) else { return false }
            let argument = line[(line.firstRange(of: function)?.upperBound ?? line.endIndex)...].drop(while: \.isWhitespace)
            return argument.first.map { "\"'`{_$".contains($0) || $0.isLetter } ?? true
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        try FetchReader.workspace(from: source, item: "JavaScript", request: "request")
    }
}

/// Reads calls of `fetch` and of axios whose arguments are literal, or names with literal values.
struct FetchReader: ScriptReader {
    /// The types that browsers give to bodies (Fetch §5.2).
    private enum MediaType {
        static let text = "text/plain;charset=UTF-8"
        static let form = "application/x-www-form-urlencoded;charset=UTF-8"
    }

    /// The names of the object whose members are global.
    static let globals: Set = ["window", "globalThis", "self"]

    /// The most bytes that the values of names may have where they are used, because each can have the one before it twice.
    static let mostBytes = 16 << 20

    var text: ScriptText
    var variables: ScriptVariables
    /// The values of names by the blocks around the position, from the outermost; nil for a name whose value is not known.
    var scopes: [[String: Constant?]] = [[:]]
    /// The names of the parameters of a function whose block begins at the position.
    var parameters: [String] = []
    /// The bytes of the values of the names that were used.
    var usedBytes = 0
    /// The options that every request of axios has (`axios.defaults`).
    var axiosDefaults: [SourceNode.Member] = []
    /// The names of the parameters of expressions such as `name => …` that had values, with these, to the end of the expression.
    var arrows: [(end: Int, scope: Int, name: String, value: Constant??)] = []
    var arrowsLeft = 100
    /// The scalars that are read again after values of names that are not known.
    var rereadLeft = 1 << 24
    /// The names of packages of other clients that the script imports.
    let packages: Set<String>
    /// The ends of the last texts that are not closed, by their quote: all such quotes before the end are escaped.
    private var unclosed: [Unicode.Scalar: Int] = [:]

    init(_ text: String, file: String) {
        self.text = ScriptText(text, file: file)
        variables = ScriptVariables(of: text)
        packages = Self.otherPackages.filter { text.contains("'\($0)'") || text.contains("\"\($0)\"") }
    }

    /// The next call; nil at the end.
    mutating func next() -> Result<ScriptRequest, Diagnostic>? {
        // The position of a member of the global object.
        var global = -1
        while let scalar = text.peek() {
            endArrows()
            if text.follows("//") {
                text.skipLine()
            } else if text.follows("/*") {
                skipComment()
            } else if ScriptText.isName(scalar) {
                let start = text.index
                let isMember = start > 0 && text.scalars[start - 1] == "." && start != global
                let word = text.take(while: ScriptText.isName)
                if Self.globals.contains(word), !isMember, text.take(".") { global = text.index }
                guard !isMember else { continue }
                let place = text.place(at: start)
                do throws(Diagnostic) { if let request = try read(word, from: start, at: place) { return .success(request) } } catch {
                    return .failure(error)
                }
            } else if "\"'`".unicodeScalars.contains(scalar), text.index >= unclosed[scalar, default: 0] {
                let start = text.index
                do throws(Diagnostic) { _ = try string() } catch {
                    // A template with an expression has been passed; another quote is no text.
                    guard scalar != "`" || text.isAtEnd else { continue }
                    unclosed[scalar] = text.index
                    text.index = start + 1
                }
            } else {
                readMark(scalar)
            }
        }
        return nil
    }

    /// Reads what a word begins: a call, a declaration, or a change of a name.
    private mutating func read(_ word: String, from start: Int, at place: SourceLocation) throws(Diagnostic) -> ScriptRequest? {
        switch word {
        case "fetch":
            skipSpaces()
            guard text.take("(") else { return nil }
            return try request(at: place)
        case "const", "let", "var": readDeclaration(from: start)
        case "function": readParameters()
        case "axios" where constant(word) == nil: return try axiosRequest(of: word, with: axiosDefaults, at: place)
        default:
            guard let constant = constant(word) else { return try refuseOther(word, at: place) }
            if let options = constant.node.instance(of: .axios) { return try axiosRequest(of: word, with: options.members, at: place) }
            readChange(of: word, from: start)
        }
        return nil
    }

    // MARK: Calls

    private mutating func request(at place: SourceLocation) throws(Diagnostic) -> ScriptRequest {
        var request = ScriptRequest(place: place)
        var arguments = try arguments(of: "fetch")
        var options: [SourceNode.Member] = []
        if let pair = arguments.first?.instance(of: .request)?.items {
            try variables.refuse(pair.dropFirst().first, file: text.file)
            options = pair.dropFirst().first?.members ?? []
            arguments[0] = pair.first ?? SourceNode(.null, line: place.line, column: place.column)
        }
        guard let url = arguments.first.flatMap(Self.textual) else { throw Diagnostic(place, "the URL of fetch is not a text; write it as a string") }
        request.url = url
        if arguments.count > 1 {
            try variables.refuse(arguments[1], file: text.file)
            options += arguments[1].members ?? []
        }
        for option in options where option.name != "body" { try variables.refuse(option.value, file: text.file) }
        var referrer = ""
        var policy = "strict-origin-when-cross-origin"
        var type = MediaType.text
        for option in options {
            let value = option.value
            switch option.name {
            case "method": request.method = value.text ?? "GET"
            case "headers": request.headers += Self.fields(value)
            case "body":
                request.setBody(value)
                if value.instance(of: .parameters) != nil { type = MediaType.form }
            case "referrer": referrer = value.text ?? ""
            case "referrerPolicy": policy = value.text ?? policy
            case "credentials" where value.text == "include" || value.text == "same-origin":
                if request.field("cookie") == nil, !options.contains(where: { Self.hasCookie($0) }) {
                    request.notes.append((.omitted, "credentials: the cookies of the browser are not in the text; add the field Cookie"))
                }
            case "credentials": break
            case "redirect" where value.text == "follow": break
            case "redirect" where value.text == "manual": request.redirects = 0
            case "redirect": request.notes.append((.changed, ImportReason("redirect: redirects are followed", .redirects)))
            default:
                request.notes.append((.omitted, "\(option.name): a setting of browsers, which may add fields such as Origin and Sec-Fetch-Mode"))
            }
        }
        // A name in lower case is that of a standard method (Fetch §4.6).
        if ["get", "head", "post", "put", "delete", "options"].contains(request.method.lowercased()) { request.method = request.method.uppercased() }
        if request.body != nil, request.field("content-type") == nil { request.headers.append((name: "Content-Type", value: type)) }
        if request.field("referer") == nil, let value = Self.referer(referrer, policy, to: url) {
            request.headers.append((name: "Referer", value: value))
        }
        return request
    }

    private static func hasCookie(_ option: SourceNode.Member) -> Bool {
        option.name == "headers" && fields(option.value).contains { $0.name.lowercased() == "cookie" }
    }

    /// The fields of an object, of `Headers` or of a list of pairs.
    static func fields(_ value: SourceNode) -> [(name: String, value: String)] {
        let value = value.instance(of: .headers) ?? value
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
}
