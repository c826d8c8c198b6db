internal import SortieBase

/// The calls that send requests.
extension PythonReader {
    /// Reads a call of a name; nil where it sends no request.
    mutating func call(of word: String, at place: SourceLocation) throws(Diagnostic) -> ScriptRequest? {
        guard text.peek() == "(" else { return nil }
        let whole = imported(word)
        let dot = whole.lastIndex(of: ".")
        let (object, method) = (dot.map { String(whole[..<$0]) } ?? "", dot.map { String(whole[whole.index(after: $0)...]) } ?? whole)
        if ["urllib.request", "aiohttp", "urllib3"].contains(object),
            ["urlopen", "Request", "ClientSession", "request", "PoolManager"].contains(method)
        {
            throw Diagnostic(place, "\(object) is not read; write the call with requests, or copy the request as curl")
        }
        let isCall = Self.methods.contains(method) || method == "request"
        guard isCall || method == "stream" else { return nil }
        if object == "requests" || object == "httpx" {
            guard isCall || object == "httpx" else { return nil }
            return try request(method, session: [], isHTTPX: object == "httpx", at: place)
        }
        guard isCall, let dot = word.lastIndex(of: ".") else { return nil }
        let name = String(word[..<dot])
        if let session = constant(name)?.node.instance(of: .session)?.members {
            return try request(method, session: session, isHTTPX: session.contains { $0.name == "httpx" }, at: place)
        }
        if method == "request", let server = constant(name)?.node.instance(of: .connection)?.string {
            return try connectionRequest(to: server, at: place)
        }
        // A session of a function that is not read.
        guard unknownSessions.contains(name) || ["(\"http", "('http", "(f\"http", "(f'http"].contains(where: { text.follows($0) }) else { return nil }
        throw Diagnostic(place, "“\(ForeignText.short(name))” is not known; write the call with requests.\(method)")
    }

    /// Reads `connection.request(METHOD, PATH, BODY, FIELDS)`.
    private mutating func connectionRequest(to server: String, at place: SourceLocation) throws(Diagnostic) -> ScriptRequest {
        let arguments = try arguments()
        func argument(_ position: Int, _ name: String) -> SourceNode? {
            arguments.values.indices.contains(position) ? arguments.values[position] : arguments.named.last { $0.name == name }?.value
        }
        var request = ScriptRequest(place: place)
        guard let method = argument(0, "method")?.string, let path = argument(1, "url")?.string else {
            throw Diagnostic(place, "the method or the path is not a text; write it as a string")
        }
        (request.method, request.url) = (method, server + path)
        try variables.refuse(argument(3, "headers"), file: text.file)
        request.headers = Self.fields(argument(3, "headers"))
        request.body = argument(2, "body")?.string
        request.isUntyped = true
        return request
    }

    private mutating func request(
        _ method: String, session: [SourceNode.Member], isHTTPX: Bool, at place: SourceLocation
    ) throws(Diagnostic) -> ScriptRequest {
        var (values, named) = try arguments(ignoring: Self.ignored, isURL: true)
        func take(_ name: String) -> SourceNode? {
            guard let index = named.lastIndex(where: { $0.name == name }) else { return nil }
            return named.remove(at: index).value
        }
        var request = ScriptRequest(place: place)
        var positions = ["url"] + (["post", "put", "patch"].contains(method) ? ["data", "json"] : method == "get" ? ["params"] : [])
        if method == "request" || method == "stream" {
            positions = ["method", "url", "params", "data", "headers", "cookies", "files", "auth", "timeout", "allow_redirects"]
        }
        for (name, value) in zip(positions, values) { named.append(.init(name, value)) }
        guard values.count <= positions.count else { throw Diagnostic(place, "the call has more arguments than are known; name them") }
        try refuseUnknown(named + session)
        request.method = (method == "request" || method == "stream" ? take("method")?.string ?? "GET" : method).uppercased()
        guard let url = take("url")?.string else { throw Diagnostic(place, "the URL is not a text; write it as a string") }
        let base = session.last { $0.name == "base_url" }?.value.string
        request.url =
            url.contains("://") || base == nil ? url : "\(base?.last == "/" ? String(base?.dropLast() ?? "") : base ?? "")/\(url.drop { $0 == "/" })"
        setFields(take("headers"), of: session, in: &request)
        setParameters(take("params"), of: session, isHTTPX: isHTTPX, in: &request)
        let cookies = take("cookies") ?? session.last { $0.name == "cookies" }?.value
        request.cookies = (cookies?.members ?? []).compactMap { member in member.value.text.map { (member.name, $0) } }
        request.isUntyped = true
        setLogin(take("auth") ?? session.last { $0.name == "auth" }?.value, in: &request)
        setBody(data: take("data"), content: take("content"), json: take("json"), files: take("files"), isHTTPX: isHTTPX, in: &request)
        note(named + session.filter { ["verify", "proxies", "cert", "proxy", "max_redirects"].contains($0.name) }, isHTTPX: isHTTPX, in: &request)
        return request
    }

    /// Refuses names where the content of a value must be known.
    private func refuseUnknown(_ arguments: [SourceNode.Member]) throws(Diagnostic) {
        for argument in arguments where !["method", "url", "base_url", "params", "data", "content", "json"].contains(argument.name) {
            try variables.refuse(argument.value, file: text.file)
            guard argument.name == "files" else { continue }
            for value in argument.value.members?.map(\.value) ?? [] {
                try variables.refuse(value, file: text.file)
                for item in value.items?.dropFirst() ?? [] { try variables.refuse(item, file: text.file) }
            }
        }
    }

    private static func fields(_ value: SourceNode?) -> [(name: String, value: String)] {
        FetchReader.fields(value ?? SourceNode(.null, line: 1, column: 1))
    }

    /// The fields of the session and of the call; a field that is `None` is not sent.
    private func setFields(_ fields: SourceNode?, of session: [SourceNode.Member], in request: inout ScriptRequest) {
        for member in (session.last { $0.name == "headers" }?.value.members ?? []) + (fields?.members ?? []) {
            request.headers.removeAll { $0.name.lowercased() == member.name.lowercased() }
            if let value = member.value.text { request.headers.append((name: member.name, value: value)) }
        }
    }

    private func setParameters(_ parameters: SourceNode?, of session: [SourceNode.Member], isHTTPX: Bool, in request: inout ScriptRequest) {
        let shared = session.last { $0.name == "params" }?.value
        var query = ""
        if let members = parameters?.members ?? (parameters == nil ? [] : nil), let others = shared?.members {
            query = Self.encoded(SourceNode(.object(Self.merged(others, with: members)), line: 1, column: 1))
        } else if let given = parameters ?? shared {
            query = given.string ?? Self.encoded(given)
        }
        request.hasFormQuery = parameters?.string == nil
        guard !query.isEmpty else { return }
        let start = request.url.prefix { $0 != "#" }
        request.url = "\(start)\(start.contains("?") ? "&" : "?")\(query)"
    }

    private mutating func setLogin(_ login: SourceNode?, in request: inout ScriptRequest) {
        guard let login else { return }
        let pair = login.instance(of: .digest)?.items ?? login.items ?? []
        guard pair.count == 2, let user = pair[0].text, let password = pair[1].text else {
            if case .null = login.content { return }
            return request.notes.append((.omitted, ImportReason("auth: this login has no equal", .auth)))
        }
        guard login.instance(of: .digest) == nil else {
            request.digest = (user, password)
            return
        }
        request.headers.removeAll { $0.name.lowercased() == "authorization" }
        request.headers.append((name: "Authorization", value: "Basic " + variables.base64(of: "\(user):\(password)", at: request.place)))
    }

    private func setBody(
        data: SourceNode?, content: SourceNode?, json: SourceNode?, files: SourceNode?, isHTTPX: Bool, in request: inout ScriptRequest
    ) {
        func setType(_ type: String) {
            if request.field("content-type") == nil { request.headers.append((name: "Content-Type", value: type)) }
        }
        if let files, files.members != nil || files.items?.isEmpty == false {
            request.parts = parts(of: files, data: data, in: &request)
        } else if let file = (data ?? content)?.instance(of: .file)?.string {
            request.bodyFile = file
        } else if let text = (data ?? content)?.string {
            request.body = text
        } else if let data, data.members?.isEmpty == false || data.items?.isEmpty == false {
            request.body = Self.encoded(data)
            setType("application/x-www-form-urlencoded")
        } else if let json {
            if case .null = json.content { return }
            // A value that is only a name may have any type.
            request.body = variables.name(in: json.string) != nil ? json.string : Self.dumps(json, isHTTPX ? .compact : .plain)
            setType("application/json")
        }
    }

    /// The parts of `files`, after those of `data`.
    private func parts(of files: SourceNode, data: SourceNode?, in request: inout ScriptRequest) -> SourceNode {
        func node(_ text: String) -> SourceNode { SourceNode(.string(text), line: files.line, column: files.column) }
        func part(_ members: [SourceNode.Member]) -> SourceNode { SourceNode(.object(members), line: files.line, column: files.column) }
        func pairs(_ value: SourceNode?) -> [(name: String, value: SourceNode)] {
            value?.members?.map { ($0.name, $0.value) }
                ?? (value?.items ?? []).compactMap { item in
                    guard let pair = item.items, pair.count == 2, let name = pair[0].text else { return nil }
                    return (name, pair[1])
                }
        }
        var parts: [SourceNode] = []
        for (name, value) in pairs(data) {
            for text in (value.items ?? [value]).compactMap(Self.textual) {
                parts.append(part([.init("name", node(name)), .init("value", node(text))]))
            }
        }
        for (name, value) in pairs(files) {
            let items = value.items ?? [SourceNode(.null, line: 1, column: 1), value]
            guard items.count > 1 else { continue }
            var members: [SourceNode.Member] = [.init("name", node(name))]
            if let path = items[1].instance(of: .file)?.string {
                members.append(.init("fileName", node(path)))
                let last = path.split(separator: "/").last.map(String.init)
                if let shown = items[0].string, shown != last {
                    request.notes.append(
                        (.changed, "files: the part \(ForeignText.short(name)) has the name of its file, not \(ForeignText.short(shown))"))
                }
            } else {
                members.append(.init("value", node(items[1].string ?? "")))
                if let shown = items[0].string {
                    members.append(.init("fileName", node(shown)))
                } else if value.items == nil {
                    members.append(.init("fileName", node(name)))
                }
            }
            if items.count > 2, let type = items[2].string { members.append(.init("contentType", node(type))) }
            parts.append(part(members))
        }
        return SourceNode(.array(parts), line: files.line, column: files.column)
    }

    /// Notes what the arguments say that a request does not have.
    private func note(_ arguments: [SourceNode.Member], isHTTPX: Bool, in request: inout ScriptRequest) {
        var follows = !isHTTPX && request.method != "HEAD"
        for argument in arguments {
            switch argument.name {
            case "allow_redirects", "follow_redirects": follows = argument.value.text == "true"
            case "verify" where argument.value.text == "false":
                request.notes.append((.omitted, ImportReason("verify: certificates are verified", .insecure)))
            case "verify" where argument.value.text == "true": break
            default: request.notes.append((.omitted, "\(ForeignText.short(argument.name)): an argument without an equal here"))
            }
        }
        if !follows { request.redirects = 0 }
    }
}
