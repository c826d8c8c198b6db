internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes an endpoint from a request of Insomnia.
struct InsomniaRequest {
    private(set) var endpoint: Endpoint
    /// The parameters of the path that have a value.
    private(set) var pathParameters: Set<String> = []
    /// The number of the first rows of the query that are text of the URL.
    private(set) var rowsOfURL = 0
    /// What was changed or omitted.
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: ImportReason, node: SourceNode?)] = []
    private(set) var template: InsomniaTemplate
    private let node: SourceNode
    /// Whether templates in the body have a meaning.
    private let rendersBody: Bool

    init(_ item: InsomniaItem, inheritedAuth: SourceNode?, template: InsomniaTemplate) {
        (node, self.template) = (item.node, template)
        rendersBody = item.setting("settingDisableRenderRequestBody")?.bool != true && item.setting("", "renderRequestBody")?.bool != false
        endpoint = Endpoint(target: "", name: item.name, path: "/")
        endpoint.summary = item.summary
        let method = node["method"]?.text ?? "GET"
        if let known = HTTPMethod(imported: method) {
            endpoint.method = known
        } else if !method.isEmpty {
            notes.append((.changed, "“\(method)” is not a method; GET is used", node["method"]))
        }
        addHeaders()
        setURL()
        switch item.kind {
        case .grpc: callMethod(of: item)
        case .webSocket: endpoint.kind = .webSocket
        case .request, .folder, .other: setBody()
        }
        let own = node["authentication"]
        if let own, Self.isSwitchedOff(own) {
            let instead = inheritedAuth == nil ? "" : "; those of the folder are used"
            notes.append((.omitted, "the credentials (\(own["type"]?.string ?? "")) are switched off\(instead)", own))
        }
        setAuth(own.flatMap { Self.isGiven($0) ? $0 : nil } ?? inheritedAuth)
        for row in rows(node["pathParameters"]) where !row.value.isEmpty {
            endpoint.setPathParameter(row.name, to: row.value)
            pathParameters.insert(":" + row.name)
        }
        setSettings(item)
        if endpoint.name.isEmpty { endpoint.name = "\(endpoint.method.rawValue) \(endpoint.path)" }
    }

    /// Whether credentials replace those of the folders around.
    static func isGiven(_ auth: SourceNode) -> Bool { auth["type"]?.string != nil && auth["disabled"]?.bool != true }

    private static func isSwitchedOff(_ auth: SourceNode) -> Bool { auth["type"]?.string != nil && auth["disabled"]?.bool == true }

    static func row(_ node: SourceNode, _ template: inout InsomniaTemplate) -> Parameter {
        let summary = node["description"]?.string
        return Parameter(
            template.text(node["name"]?.text ?? ""), template.text(node["value"]?.text ?? ""), isEnabled: node["disabled"]?.bool != true,
            summary: summary?.isEmpty == false ? summary : nil)
    }

    private mutating func rows(_ list: SourceNode?) -> [Parameter] {
        var result: [Parameter] = []
        for node in list?.items ?? [] {
            let row = Self.row(node, &template)
            if !(row.name.isEmpty && row.value.isEmpty) { result.append(row) }
        }
        return result
    }

    private mutating func addHeaders() {
        for row in rows(node["headers"] ?? node["metadata"]) {
            var row = row
            row.name = row.name.trimmingBlanks
            if let problem = ImportedHeader.problem(of: row.name, row.value) {
                notes.append((.omitted, problem, node["headers"]))
            } else {
                endpoint.headers.append(row)
            }
        }
    }

    private mutating func setURL() {
        let text = template.text(node["url"]?.text ?? "")
        guard !text.isEmpty else { return notes.append((.changed, "the request has no URL; its path is /", node["url"] ?? node)) }
        var url = ImportedURL(GRPCImport.http(text))
        url.openWebSocket(of: &endpoint)
        if let scheme = url.base?.firstRange(of: "://").flatMap({ url.base?[..<$0.lowerBound].lowercased() }), !scheme.contains("{{"),
            !["http", "https"].contains(scheme)
        {
            return notes.append((.omitted, "only http and https can be sent; the URL was \(text)", node["url"]))
        }
        endpoint.path = url.absolutePath
        url.addRowsAndLogin(to: &endpoint)
        rowsOfURL = endpoint.query.count
        endpoint.query += rows(node["parameters"])
        if !url.fragment.isEmpty { notes.append((.omitted, "the fragment \(url.fragment) of the URL is never sent", node["url"])) }
    }

    /// The method that a request of gRPC calls; nil where it names none.
    static func method(of item: InsomniaItem) -> GRPCMethodPath? { GRPCMethodPath(item.node["protoMethodName"]?.text ?? "") }

    /// Makes the request a call of gRPC; the server describes the messages.
    private mutating func callMethod(of item: InsomniaItem) {
        (endpoint.kind, endpoint.method) = (.grpc, .post)
        endpoint.grpc = Self.method(of: item).map { GRPCSetting(method: $0.description) }
        let text = node["body"]?["text"]?.string ?? ""
        if !text.allSatisfy(\.isWhitespace) { endpoint.body = .json(bodyText(text)) }
        if node["protoFileId"]?.text?.isEmpty == false {
            notes.append((.changed, "the messages are those that the server describes; write grpc: {proto: FILE} for a file", node["protoFileId"]))
        }
    }

    // MARK: Body

    private mutating func setBody() {
        guard let body = node["body"] else { return }
        if let text = body.string {
            if !text.isEmpty { endpoint.body = ImportedBody.text(bodyText(text), contentType: contentType) }
            return
        }
        let type = body["mimeType"]?.string ?? ""
        let text = body["text"]?.text ?? ""
        switch type {
        case "application/x-www-form-urlencoded" where body["params"]?.items != nil:
            let rows = rows(body["params"])
            if !rows.isEmpty { endpoint.body = .form(rows) }
        case "multipart/form-data": setParts(body["params"])
        case "application/graphql": setGraphQL(text)
        case "application/octet-stream" where text.isEmpty: setFile(body)
        default:
            if body["fileName"] != nil, text.isEmpty { return setFile(body) }
            if !text.isEmpty { endpoint.body = ImportedBody.text(bodyText(text), contentType: contentType ?? (type.isEmpty ? nil : type)) }
        }
    }

    private mutating func bodyText(_ text: String) -> String { rendersBody ? template.text(text) : Template.quoting(text) }

    private var contentType: String? { endpoint.headers.last { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value }

    private mutating func setFile(_ body: SourceNode) {
        guard let path = body["fileName"]?.string, !path.isEmpty else {
            if body["mimeType"] != nil { notes.append((.omitted, ImportReason("the body has no file", .bodyFile), body)) }
            return
        }
        endpoint.body = .file(path: template.text(path), contentType: nil)
    }

    private mutating func setParts(_ list: SourceNode?) {
        var parts: [BodyTemplate.Part] = []
        for node in list?.items ?? [] {
            let row = Self.row(node, &template)
            if row.summary != nil { notes.append((.omitted, "the description of the part \(row.name): a part has none", node)) }
            var part = BodyTemplate.Part(name: row.name, value: row.value, isEnabled: row.isEnabled)
            // The editor of a text with several lines has a media type.
            if let type = node["multiline"]?.string, type.contains("/") { part.contentType = type }
            if node["type"]?.string == "file" {
                let path = node["fileName"]?.string ?? ""
                if path.isEmpty {
                    notes.append((.changed, ImportedBody.missingFile(ofPart: row.name), node))
                    (part.value, part.isEnabled) = ("", false)
                } else {
                    (part.value, part.isFile) = (template.text(path), true)
                }
            } else if row.name.isEmpty, row.value.isEmpty {
                continue
            }
            parts.append(part)
        }
        guard !parts.isEmpty else { return }
        endpoint.body = .multipart(parts)
        // A field without a boundary would replace the one with it.
        if contentType?.lowercased() == "multipart/form-data" {
            endpoint.headers.removeAll { $0.name.lowercased() == "content-type" }
            notes.append((.changed, "the field Content-Type is made from the parts", node["headers"]))
        }
    }

    /// Insomnia stores the JSON that it sends.
    private mutating func setGraphQL(_ text: String) {
        guard !text.isEmpty else { return }
        let text = bodyText(text)
        if let request = GraphQLTemplate(json: text) {
            endpoint.body = .graphQL(request)
        } else {
            endpoint.body = ImportedBody.text(text, contentType: "application/json")
            notes.append((.changed, "the GraphQL request is written as the JSON that is sent", node["body"]))
        }
        if let index = endpoint.headers.firstIndex(where: { $0.name.lowercased() == "content-type" && $0.value == "application/graphql" }) {
            endpoint.headers[index].value = "application/json"
        }
    }

    // MARK: Settings

    private mutating func setAuth(_ auth: SourceNode?) {
        guard let auth, let type = auth["type"]?.string, type != "none" else {
            if auth?["type"]?.string == "none" { endpoint.auth = .none }
            return
        }
        func raw(_ name: String) -> String { auth[name]?.text ?? "" }
        switch type {
        case "basic":
            endpoint.auth = .basic(user: template.text(raw("username")), password: template.text(raw("password")))
            if raw("useISO88591") == "true", !(raw("username") + raw("password")).utf8.allSatisfy({ $0 < 0x80 }) {
                notes.append((.changed, "user and password are sent in UTF-8 instead of ISO-8859-1 (RFC 7617 §2.1)", auth))
            }
        case "digest": endpoint.auth = .digest(user: template.text(raw("username")), password: template.text(raw("password")))
        case "ntlm": endpoint.auth = .ntlm(NTLMCredential(user: template.text(raw("username")), password: template.text(raw("password"))))
        case "iam":
            endpoint.auth = .awsSigV4(
                AWSCredential(
                    region: template.text(raw("region")), service: template.text(raw("service")), accessKey: template.text(raw("accessKeyId")),
                    secretKey: template.text(raw("secretAccessKey")), sessionToken: template.text(raw("sessionToken"))))
        case "hawk" where !raw("id").isEmpty:
            let names = ["id": "id", "key": "key", "algorithm": "algorithm", "ext": "ext"]
            endpoint.auth = .signature(SignatureCredential(.hawk, names.mapValues { template.text(raw($0)) }))
            if raw("validatePayload") == "true" { notes.append((.changed, "the Hawk code does not cover the body", auth)) }
        case "bearer":
            let token = template.text(raw("token"))
            let prefix = raw("prefix")
            if prefix.isEmpty || prefix.lowercased() == "bearer" {
                endpoint.auth = .bearer(token: token)
            } else {
                endpoint.headers.append(Parameter("Authorization", "\(template.text(prefix)) \(token)"))
            }
        case "apikey": setKey(auth)
        case "oauth2": setOAuth2(auth)
        case "netrc": notes.append((.omitted, ImportReason("the credentials of ~/.netrc are not used", .login), auth))
        default:
            notes.append(
                (.omitted, "auth: credentials of the kind \(type) are not supported; the request is sent without them", auth))
        }
    }

    private mutating func setKey(_ auth: SourceNode) {
        let (name, value) = (template.text(auth["key"]?.text ?? ""), template.text(auth["value"]?.text ?? ""))
        guard !name.isEmpty else { return notes.append((.omitted, "the API key has no name; add the header field", auth)) }
        switch auth["addTo"]?.text {
        case "cookie": endpoint.headers.append(Parameter("Cookie", "\(name)=\(value)"))
        case "queryParams": endpoint.auth = .apiKey(APIKey(name: name, value: value, in: .query))
        default: endpoint.auth = .apiKey(APIKey(name: name, value: value))
        }
    }

    private mutating func setOAuth2(_ auth: SourceNode) {
        func raw(_ name: String) -> String { auth[name]?.text ?? "" }
        let token = template.text(raw("accessToken"))
        guard token.isEmpty else {
            endpoint.auth = .bearer(token: token)
            return
        }
        do throws(ImportedOAuth2.Refusal) {
            // Insomnia's default is not always stored, and its switches are texts in some versions.
            let grant = raw("grantType").isEmpty ? "authorization_code" : raw("grantType")
            let (settings, change) = try ImportedOAuth2.settings(grant: grant, sendsClientInBody: raw("credentialsInBody") == "true") {
                template.text(raw(Self.names[$0] ?? $0.rawValue))
            }
            endpoint.auth = .oauth2(settings)
            if let change { notes.append((.changed, change, auth["redirectUrl"])) }
        } catch {
            return notes.append((.omitted, ImportReason(error.reason), auth))
        }
        if raw("pkceMethod") == "plain", raw("usePkce") == "true" {
            notes.append((.changed, "OAuth 2: the code challenge is made with S256 instead of plain (RFC 7636 §4.2)", auth["pkceMethod"]))
        }
        let prefix = raw("tokenPrefix")
        if !prefix.isEmpty, prefix.lowercased() != "bearer" {
            notes.append((.changed, "the token is sent with Bearer instead of \(prefix)", auth["tokenPrefix"]))
        }
        if !raw("resource").isEmpty {
            notes.append(
                (.omitted, "OAuth 2: the resource \(raw("resource")) of the token request has no equivalent; see audience:", auth["resource"]))
        }
    }

    /// The names of settings in an export where they differ from ours.
    private static let names: [OAuth2.Field: String] = [
        .grant: "grantType", .authorizationURL: "authorizationUrl", .deviceURL: "deviceAuthorizationUrl", .tokenURL: "accessTokenUrl",
        .redirectURL: "redirectUrl", .clientID: "clientId", .clientSecret: "clientSecret", .clientAuthentication: "credentialsInBody",
        .user: "username",
    ]

    private mutating func setSettings(_ item: InsomniaItem) {
        if item.setting("settingFollowRedirects", "followRedirects")?.text == "off" { endpoint.redirects = 0 }
        let sends = item.setting("settingSendCookies", "cookies", "send")?.bool
        let stores = item.setting("settingStoreCookies", "cookies", "store")?.bool
        if sends == false, stores == false {
            endpoint.cookies = false
        } else if sends == false || stores == false {
            notes.append((.omitted, "cookies are either sent and stored, or neither; both stay on", node))
        }
        if item.setting("settingEncodeUrl", "encodeUrl")?.bool == false {
            notes.append((.omitted, "values of variables in the URL are percent-encoded; write {{name|raw}} to insert them as they are", node))
        }
    }
}
