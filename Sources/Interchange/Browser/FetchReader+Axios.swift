internal import SortieBase

/// The calls of axios.
extension FetchReader {
    /// The methods that send a request.
    static let axiosMethods = ["request", "get", "delete", "head", "options", "post", "put", "patch", "postForm", "putForm", "patchForm"]

    /// Reads what follows the name of axios, or of an object of `axios.create`; nil where it sends no request.
    ///
    /// - Parameters:
    ///   - object: The name.
    ///   - options: The options of `axios.create` with the defaults of then; nil where they are not known.
    mutating func axiosRequest(
        of object: String, with options: [SourceNode.Member]?, at place: SourceLocation
    ) throws(Diagnostic) -> ScriptRequest? {
        var name = ""
        if text.take(".") { name = text.take(while: ScriptText.isName) }
        if name == "defaults" {
            if let setting = readDefault() { addDefault(setting, of: object) }
            return nil
        }
        if name == "interceptors" { addDefault(.init(name, SourceNode(.null, line: place.line, column: place.column)), of: object) }
        // The type of the response in TypeScript.
        if text.peek() == "<" {
            _ = text.take { !"(\n".unicodeScalars.contains($0) }
        }
        skipSpaces()
        guard name.isEmpty || Self.axiosMethods.contains(name), text.take("(") else { return nil }
        guard let options else { throw Diagnostic(place, "the options of axios.create have expressions; write them as literal values") }
        let arguments = try arguments(of: "axios")
        var members = options
        var data: SourceNode?
        func node(_ text: String) -> SourceNode { SourceNode(.string(text), line: place.line, column: place.column) }
        if name.isEmpty || name == "request" {
            if arguments.count == 1 { try variables.refuse(arguments[0], file: text.file) }
            try variables.refuse(arguments.dropFirst().first, file: text.file)
            if let url = arguments.first, url.string != nil {
                members.append(.init("url", url))
                members += arguments.dropFirst().first?.members ?? []
            } else {
                members += arguments.first?.members ?? []
            }
        } else {
            guard let url = arguments.first else { throw Diagnostic(place, "the URL of axios is not a text; write it as a string") }
            let hasData = name.hasPrefix("p")
            if hasData { data = arguments.dropFirst().first }
            try variables.refuse(arguments.dropFirst(hasData ? 2 : 1).first, file: text.file)
            members += arguments.dropFirst(hasData ? 2 : 1).first?.members ?? []
            if name.hasSuffix("Form") {
                members.append(.init("headers", SourceNode(.object([.init("Content-Type", node("multipart/form-data"))]), line: 1, column: 1)))
            }
            members += [.init("url", url), .init("method", node(name.hasSuffix("Form") ? String(name.dropLast(4)) : name))]
        }
        return try axiosRequest(members, data: data, at: place)
    }

    /// Adds a setting of all later requests of axios, or of an object of `axios.create`, which has settings of its own.
    private mutating func addDefault(_ setting: SourceNode.Member, of object: String) {
        guard let node = constant(object)?.node else { return axiosDefaults.append(setting) }
        guard let members = node.instance(of: .axios)?.members, let scope = scopes.lastIndex(where: { $0[object] != nil }) else { return }
        scopes[scope][object]??.node = SourceNode(.object(members + [setting]), line: node.line, column: node.column).made(.axios)
    }

    /// Reads `axios.defaults.baseURL = VALUE` and `axios.defaults.headers.common[NAME] = VALUE`.
    private mutating func readDefault() -> SourceNode.Member? {
        let path = text.take { ScriptText.isName($0) || $0 == "." }
        do throws(Diagnostic) {
            var field: SourceNode?
            if path.hasPrefix(".headers"), text.take("[") {
                field = try value()
                guard text.take("]") else { return nil }
            }
            skipSpaces()
            guard text.peek() == "=", text.peek(1) != "=" else { return nil }
            text.index += 1
            let value = try value()
            if let name = field?.string {
                return .init("headers", SourceNode(.object([.init(name, value)]), line: value.line, column: value.column))
            }
            // `headers.common.NAME`, or `headers.common` as a whole.
            let names = path.split(separator: ".").map(String.init)
            if names.first == "headers", let last = names.last, names.count == 3 || value.members == nil {
                return .init("headers", SourceNode(.object([.init(last, value)]), line: value.line, column: value.column))
            }
            return .init(names.first ?? "", value)
        } catch {
            // The name of what is not known; the requests have a line for it.
            return .init("defaults\(path)", SourceNode(.null, line: 1, column: 1))
        }
    }

    private mutating func axiosRequest(
        _ members: [SourceNode.Member], data given: SourceNode?, at place: SourceLocation
    ) throws(Diagnostic) -> ScriptRequest {
        var request = ScriptRequest(place: place)
        var (url, base, data): (String?, String?, SourceNode?) = (nil, nil, given)
        var (parameters, login): (SourceNode?, String?) = (nil, nil)
        for member in members {
            let value = member.value
            if !["url", "baseURL", "params", "data"].contains(member.name) { try variables.refuse(value, file: text.file) }
            switch member.name {
            case "url": url = Self.textual(value)
            case "baseURL": base = Self.textual(value)
            case "method": request.method = (value.text ?? "get").uppercased()
            case "headers":
                for field in Self.fields(value) {
                    request.headers.removeAll { $0.name.lowercased() == field.name.lowercased() }
                    request.headers.append(field)
                }
            case "params": parameters = value
            case "data": data = given ?? value
            case "auth":
                guard let user = value["username"]?.text, let password = value["password"]?.text else { continue }
                login = "Basic " + variables.base64(of: "\(user):\(password)", at: place)
            case "maxRedirects" where value.text == "0": request.redirects = 0
            case "withCredentials" where value.text == "true":
                request.notes.append((.omitted, "withCredentials: the cookies of the browser are not in the text; add the field Cookie"))
            case "maxRedirects", "withCredentials", "maxBodyLength", "maxContentLength", "responseType", "decompress", "validateStatus": break
            default: request.notes.append((.omitted, "\(member.name): a setting of axios without an equal here"))
            }
        }
        guard let url else { throw Diagnostic(place, "the URL of axios is not a text; write it as a string") }
        request.url = Self.adding(parameters, to: Self.whole(url, base: base))
        request.hasFormQuery = parameters?.members != nil
        if let login {
            request.headers.removeAll { $0.name.lowercased() == "authorization" }
            request.headers.append((name: "Authorization", value: login))
        }
        if request.field("accept") == nil { request.headers.append((name: "Accept", value: "application/json, text/plain, */*")) }
        if let data { setData(data, in: &request) }
        return request
    }

    /// A URL behind the base, as axios joins them.
    private static func whole(_ url: String, base: String?) -> String {
        guard let base, !base.isEmpty, url.firstRange(of: "://") == nil, !url.hasPrefix("//") else { return url }
        guard !url.isEmpty else { return base }
        let start = base.hasSuffix("//") ? String(base.dropLast(2)) : base.hasSuffix("/") ? String(base.dropLast()) : base
        return start + "/" + url.drop { $0 == "/" }
    }

    /// A URL with parameters: lists have the suffix `[]`, and some characters are not encoded.
    private static func adding(_ parameters: SourceNode?, to url: String) -> String {
        guard let parameters else { return url }
        let query: String
        if let text = textual(parameters) {
            query = text
        } else {
            query = rows(of: parameters, listSuffix: "[]").map { row in
                [row.name, row.value].map { PercentEncoding.encode($0, except: "-_.!~*'():$,[] ").replacing(" ", with: "+") }.joined(separator: "=")
            }.joined(separator: "&")
        }
        guard !query.isEmpty else { return url }
        let start = url.prefix { $0 != "#" }
        return "\(start)\(start.contains("?") ? "&" : "?")\(query)"
    }

    /// The rows of an object, with the names of its members in brackets: `a[b]`.
    ///
    /// - Parameter listSuffix: The brackets of the items of a list; nil for their index.
    static func rows(of value: SourceNode, listSuffix: String?) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        func add(_ name: String, _ value: SourceNode) {
            if let text = textual(value) {
                rows.append((name, text))
            } else if let members = value.members {
                for member in members { add("\(name)[\(member.name)]", member.value) }
            } else {
                for (index, item) in (value.items ?? []).enumerated() {
                    add(name + (item.text == nil ? "[\(index)]" : listSuffix ?? "[\(index)]"), item)
                }
            }
        }
        for member in value.members ?? [] { add(member.name, member.value) }
        return rows
    }

    /// Sets the body to `data`, with the type that axios gives it.
    private func setData(_ data: SourceNode, in request: inout ScriptRequest) {
        func setType(_ value: String) {
            if request.field("content-type") == nil { request.headers.append((name: "Content-Type", value: value)) }
        }
        let type = request.field("content-type")?.lowercased() ?? ""
        if data.instance(of: .form) != nil {
            request.setBody(data)
        } else if data.instance(of: .parameters) != nil {
            request.setBody(data)
            setType("application/x-www-form-urlencoded;charset=utf-8")
        } else if data.members != nil || data.items != nil {
            if type.contains("application/x-www-form-urlencoded") {
                request.body = ScriptText.encoded(Self.rows(of: data, listSuffix: "[]"), allowed: .form)
            } else if type.contains("multipart/form-data") {
                request.parts = SourceNode(
                    .array(
                        Self.rows(of: data, listSuffix: "[]").map { row in
                            func node(_ text: String) -> SourceNode { SourceNode(.string(text), line: data.line, column: data.column) }
                            return SourceNode(
                                .object([.init("name", node(row.name)), .init("value", node(row.value))]), line: data.line, column: data.column)
                        }), line: data.line, column: data.column)
            } else {
                request.body = data.json.compactText
                setType("application/json")
            }
        } else if variables.name(in: data.string) != nil {
            request.body = data.string
            setType("application/json")
        } else if let text = data.text {
            // A text that is no JSON is made one where the type says so.
            if type.contains("application/json") {
                let trimmed = text.trimmingBlanks
                let isJSON = JSONValue(ifValid: Array(trimmed.utf8)) != nil
                request.body = isJSON ? trimmed : JSONValue.string(text).compactText
            } else {
                request.body = text
                setType("application/x-www-form-urlencoded")
            }
        }
    }

    // MARK: Other clients

    /// The functions of other clients, whose calls are named in the report.
    static let otherPackages: Set = ["got", "ky", "superagent", "unirest", "needle", "request"]
    private static let otherFunctions: Set = ["ajax", "get", "post", "getJSON"]

    /// Refuses a call of a client that is not read, so that its request is not lost without a line.
    mutating func refuseOther(_ word: String, at place: SourceLocation) throws(Diagnostic) -> ScriptRequest? {
        let start = text.index
        switch word {
        case "$", "jQuery":
            guard text.take("."), Self.otherFunctions.contains(text.take(while: ScriptText.isName)), text.take("(") else { break }
            throw Diagnostic(place, "calls of jQuery are not read; write it as fetch, or copy the request as curl")
        case "XMLHttpRequest": throw Diagnostic(place, "XMLHttpRequest is not read; write it as fetch, or copy the request as curl")
        case "http", "https":
            guard text.take(".") else { break }
            let method = text.take(while: ScriptText.isName)
            guard method == "request" || Self.axiosMethods.contains(method) || method == "del", text.take("(") else { break }
            throw Diagnostic(place, "\(word).\(method) of Node.js or k6 is not read; write it as fetch, or copy the request as curl")
        case _ where packages.contains(word):
            skipSpaces()
            guard text.peek() == "(" || text.take(".") else { break }
            throw Diagnostic(place, "calls of \(word) are not read; write it as fetch, or copy the request as curl")
        default:
            // An object that is not known, with a URL.
            guard text.take("."), Self.axiosMethods.contains(text.take(while: ScriptText.isName)), text.take("("),
                ["\"http", "'http", "`http"].contains(where: { text.follows($0) })
            else { break }
            throw Diagnostic(place, "“\(ForeignText.short(word))” is not known; write the call with axios or fetch")
        }
        text.index = start
        return nil
    }
}
