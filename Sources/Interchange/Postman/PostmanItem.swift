internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Writes an endpoint as a request of Postman.
struct PostmanItem {
    /// The member `request`.
    private(set) var value: JSONValue = .null
    private let endpoint: Endpoint
    private let service: Service?
    /// The type of the body that is sent.
    private let sentType: String?

    init(_ item: ExportSource.Item, of source: ExportSource, _ names: inout PostmanVariables) {
        endpoint = item.endpointAsSent(in: source.workspace)
        service = source.workspace.service(item.endpoint.serviceName)
        sentType = item.request.body.contentType
        var members: [JSONValue.Member] = [.init("method", .string(endpoint.method.rawValue)), .init("header", .array(headers(&names)))]
        if let auth = auth(&names) { members.insert(.init("auth", auth), at: 0) }
        if let body = body(&names) { members.append(.init("body", body)) }
        members.append(.init("url", url(environment: source.environment, &names)))
        if let summary = endpoint.summary { members.append(.init("description", .string(summary))) }
        value = .object(members)
    }

    /// The member `protocolProfileBehavior` of the item; nil where the endpoint has no such setting.
    var behavior: JSONValue? {
        var members: [JSONValue.Member] = []
        switch endpoint.redirects {
        case nil: break
        case 0?: members.append(.init("followRedirects", false))
        case let limit?: members.append(.init("maxRedirects", .integer(limit)))
        }
        if let names = endpoint.removedHeaders, !names.isEmpty {
            members.append(.init("disabledSystemHeaders", .object(names.map { .init($0.lowercased(), true) })))
        }
        if endpoint.body != .none, PostmanCollection.prunedMethods.contains(endpoint.method.rawValue) {
            members.append(.init("disableBodyPruning", true))
        }
        return members.isEmpty ? nil : .object(members)
    }

    private var inherits: Bool { endpoint.inherits ?? true }

    // MARK: Rows

    /// A row; the value of a credential is a variable.
    private func row(_ row: Parameter, _ names: inout PostmanVariables, isParameter: Bool = false, encodes: Bool = false) -> JSONValue {
        let plain = CredentialNames.plain(row.name)
        let isSecret = CredentialNames.contains(row.name) || isParameter && CredentialNames.parameters.contains(plain)
        func text(_ template: String, _ names: inout PostmanVariables) -> String {
            let text = names.text(template, own: endpoint.variables)
            return encodes ? Self.encoded(text) : text
        }
        var key = text(row.name, &names)
        var value = isSecret ? names.credential(row.value, named: row.name, own: endpoint.variables) : text(row.value, &names)
        if encodes, !isSecret, let spelling = row.spelling {
            let parts = names.text(spelling, own: endpoint.variables).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            (key, value) = (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
        var members: [JSONValue.Member] = [
            .init("key", .string(key)), .init("value", row.isNameOnly && row.value.isEmpty ? .null : .string(value)),
        ]
        if !row.isEnabled { members.append(.init("disabled", true)) }
        if let summary = row.summary { members.append(.init("description", .string(summary))) }
        return .object(members)
    }

    /// Percent-encodes what would be read differently in a URL, outside of variables.
    private static func encoded(_ text: String) -> String {
        PostmanTemplate.pieces(of: text).map { piece in
            switch piece {
            case .variable(let name): "{{\(name)}}"
            case .text(let text):
                text.utf8.map { byte in
                    let isSpecial = "%&#+= \"<>{}".utf8.contains(byte) || byte <= 0x20 || byte >= 0x7f
                    return isSpecial ? PercentEncoding.encode(bytes: [byte], allowed: .unreserved) : String(Unicode.Scalar(byte))
                }.joined()
            }
        }.joined()
    }

    private func headers(_ names: inout PostmanVariables) -> [JSONValue] {
        let own = Set(endpoint.headers.filter(\.isEnabled).map { $0.name.lowercased() })
        let removed = Set((endpoint.removedHeaders ?? []).map { $0.lowercased() })
        let shared = inherits ? service?.headers ?? [] : []
        let rows = shared.filter { !own.contains($0.name.lowercased()) && !removed.contains($0.name.lowercased()) } + endpoint.headers
        var result = rows.map { row($0, &names) }
        // Postman derives other types from the kind of the body; the type of a text without one has a charset.
        if case .file(_, let type?) = endpoint.body, !own.contains("content-type") { result.append(row(Parameter("Content-Type", type), &names)) }
        if case .text(_, nil) = endpoint.body, !own.contains("content-type"), !removed.contains("content-type"), let type = sentType {
            result.append(row(Parameter("Content-Type", type), &names))
        }
        if case .text(_, let type?) = endpoint.body, !own.contains("content-type") { result.append(row(Parameter("Content-Type", type), &names)) }
        if case .plist = endpoint.body, !own.contains("content-type") {
            result.append(row(Parameter("Content-Type", endpoint.body.contentType ?? ""), &names))
        }
        return result
    }

    // MARK: URL

    private func url(environment: String?, _ names: inout PostmanVariables) -> JSONValue {
        let server = environment.flatMap { service?.servers[$0]?.first } ?? ""
        let typed = ImportedURL(endpoint.path)
        let isAbsolute = typed.base.map { $0.hasPrefix("{{") || $0.contains("://") } ?? false && !endpoint.path.hasPrefix("/")
        let pathEnd = endpoint.path.firstIndex { $0 == "?" || $0 == "#" } ?? endpoint.path.endIndex
        let wholePath = typed.base != nil && !isAbsolute ? "/" + endpoint.path[..<pathEnd] : typed.path
        // A query with a part that has no name is no rows and stays in the path.
        let ownPath = wholePath.prefix { $0 != "?" }
        let unnamed = wholePath.dropFirst(ownPath.count + 1).split(separator: "&", omittingEmptySubsequences: false).map { item -> JSONValue in
            let parts = names.text(String(item), own: endpoint.variables).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return ["key": .string(String(parts[0])), "value": parts.count == 2 ? .string(String(parts[1])) : .null]
        }
        var base = names.text(isAbsolute ? typed.base ?? "" : server, own: endpoint.variables)
        while base.hasSuffix("/") { base.removeLast() }
        // Postman writes parameters of the path with a colon.
        let parameters = endpoint.pathParameters
        var segments = ownPath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for index in segments.indices {
            if let parameter = parameters.first(where: { segments[index] == "{\($0.name)}" }) { segments[index] = ":\(parameter.name)" }
        }
        let path = names.text(segments.joined(separator: "/"), own: endpoint.variables.filter { name, _ in !parameters.contains { $0.name == name } })
        let inPath = Set(typed.rows.map(\.name))
        let named = (typed.rows + endpoint.query.filter { !inPath.contains($0.name) }).map {
            row($0, &names, isParameter: true, encodes: true)
        }
        let rows = (wholePath.contains("?") ? unnamed : []) + named
        let query = rows.filter { $0["disabled"] == nil }.map { row in
            guard case .string(let key)? = row["key"] else { return "" }
            if case .string(let value)? = row["value"] { return "\(key)=\(value)" }
            return key
        }.joined(separator: "&")
        var members: [JSONValue.Member] = [.init("raw", .string(base + path + (query.isEmpty ? "" : "?\(query)")))]
        members += parts(of: base)
        members.append(.init("path", .array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { .string(String($0)) })))
        if !rows.isEmpty { members.append(.init("query", .array(rows))) }
        let variables = parameters.compactMap { parameter -> JSONValue? in
            guard segments.contains(":\(parameter.name)") else { return nil }
            let value = endpoint.variables[parameter.name].map { names.text($0, own: endpoint.variables) } ?? names.use(parameter.name)
            return ["key": .string(parameter.name), "value": .string(value)]
        }
        if !variables.isEmpty { members.append(.init("variable", .array(variables))) }
        return .object(members)
    }

    /// The members `protocol`, `host` and `port` of a server.
    private func parts(of base: String) -> [JSONValue.Member] {
        guard !base.isEmpty else { return [] }
        guard let schemeEnd = base.firstRange(of: "://"), !base.hasPrefix("{{") else { return [.init("host", .array([.string(base)]))] }
        var host = String(base[schemeEnd.upperBound...])
        var members: [JSONValue.Member] = [.init("protocol", .string(String(base[..<schemeEnd.lowerBound])))]
        var port: JSONValue.Member?
        if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber), !host.hasSuffix("]") {
            port = .init("port", .string(String(host[host.index(after: colon)...])))
            host = String(host[..<colon])
        }
        let labels = host.contains("{{") || host.hasPrefix("[") ? [host[...]] : host.split(separator: ".", omittingEmptySubsequences: false)
        members.append(.init("host", .array(labels.map { .string(String($0)) })))
        return members + (port.map { [$0] } ?? [])
    }

    // MARK: Body and credentials

    private func body(_ names: inout PostmanVariables) -> JSONValue? {
        func raw(_ text: String, _ language: String, _ names: inout PostmanVariables) -> JSONValue {
            ["mode": "raw", "raw": .string(names.text(text, own: endpoint.variables)), "options": ["raw": ["language": .string(language)]]]
        }
        switch endpoint.body {
        case .none: return nil
        case .json(let text): return raw(text, "json", &names)
        case .graphQL(let request):
            var members: [JSONValue.Member] = [.init("query", .string(names.text(request.query, own: endpoint.variables)))]
            if request.hasVariables { members.append(.init("variables", .string(names.text(request.variables, own: endpoint.variables)))) }
            if let operation = request.operation { members.append(.init("operationName", .string(names.text(operation, own: endpoint.variables)))) }
            return ["mode": "graphql", "graphql": .object(members)]
        case .plist(let text): return raw(text, "xml", &names)
        case .text(let text, let type):
            let essence = type.flatMap { MediaType($0) }?.essence ?? ""
            let isXML = essence.hasSuffix("/xml") || essence.hasSuffix("+xml")
            return raw(text, isXML ? "xml" : essence.hasSuffix("json") ? "json" : essence == "text/html" ? "html" : "text", &names)
        case .file(let path, _): return ["mode": "file", "file": ["src": .string(names.text(path, own: endpoint.variables))]]
        case .form(let rows): return ["mode": "urlencoded", "urlencoded": .array(rows.map { row($0, &names, isParameter: true) })]
        case .multipart(let parts): return ["mode": "formdata", "formdata": .array(parts.map { part($0, &names) })]
        }
    }

    private func part(_ part: BodyTemplate.Part, _ names: inout PostmanVariables) -> JSONValue {
        let value = row(Parameter(part.name, part.value, isEnabled: part.isEnabled), &names, isParameter: !part.isFile)
        var members: [JSONValue.Member] = [.init("key", value["key"] ?? .null)]
        members.append(.init(part.isFile ? "src" : "value", value["value"] ?? .null))
        members.append(.init("type", part.isFile ? "file" : "text"))
        if let name = part.fileName, !name.isEmpty { members.append(.init("fileName", .string(names.text(name, own: endpoint.variables)))) }
        if let type = part.contentType { members.append(.init("contentType", .string(names.text(type, own: endpoint.variables)))) }
        if !part.isEnabled { members.append(.init("disabled", true)) }
        return .object(members)
    }

    private func auth(_ names: inout PostmanVariables) -> JSONValue? {
        func rows(_ pairs: [(String, String)]) -> JSONValue {
            .array(pairs.map { ["key": .string($0.0), "value": .string($0.1), "type": "string"] })
        }
        let own = endpoint.variables
        switch endpoint.auth(in: service) {
        case .inherit, .none, .awsSigV4, .jwt, .negotiate, .signature: return endpoint.auth == .none ? ["type": "noauth"] : nil
        case .oauth2(let settings):
            guard let grant = PostmanAuth.grant(settings.grant) else { return nil }
            let place = settings.clientAuthentication == .post ? "body" : "header"
            var pairs = [("grant_type", grant), ("client_authentication", place), ("addTokenTo", "header")]
            for field in OAuth2.Field.allCases where field.words == nil && settings.uses(field) && !settings[field: field].isEmpty {
                let template = settings[field: field]
                let text = field.isSecret ? names.credential(template, named: field.rawValue, own: own) : names.text(template, own: own)
                pairs.append((PostmanAuth.names[field] ?? field.rawValue, text))
            }
            return ["type": "oauth2", "oauth2": rows(pairs)]
        case .bearer(let token): return ["type": "bearer", "bearer": rows([("token", names.credential(token, named: "token", own: own))])]
        case .basic(let user, let password):
            let secret = names.credential(password, named: "password", own: own)
            return ["type": "basic", "basic": rows([("username", names.text(user, own: own)), ("password", secret)])]
        case .digest(let user, let password):
            let secret = names.credential(password, named: "password", own: own)
            return ["type": "digest", "digest": rows([("username", names.text(user, own: own)), ("password", secret)])]
        case .ntlm(let credential):
            let secret = names.credential(credential.password, named: "password", own: own)
            return ["type": "ntlm", "ntlm": rows([("username", names.text(credential.user, own: own)), ("password", secret)])]
        case .apiKey(let key):
            let secret = names.credential(key.value, named: key.name, own: own)
            return ["type": "apikey", "apikey": rows([("key", names.text(key.name, own: own)), ("value", secret), ("in", key.place.rawValue)])]
        }
    }
}
