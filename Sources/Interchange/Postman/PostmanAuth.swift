internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The credentials of a collection, a folder or a request; an API key is a row.
struct PostmanAuth {
    /// The credentials of the endpoint.
    var auth = Auth.none
    /// A header field with the credential.
    var header: Parameter?
    /// A query parameter with the credential.
    var query: Parameter?
    /// What cannot be expressed; nil for nothing.
    var problem: String?

    /// - Returns: nil where the node says nothing, so that the credentials of the parent apply.
    init?(_ node: SourceNode?, _ template: inout PostmanTemplate) {
        guard let node, !node.isNull, let kind = node["type"]?.string, kind != "inherit" else { return nil }
        let attributes = node[kind]
        func raw(_ name: String) -> String {
            // Version 2.1 has rows, version 2.0 an object.
            let value = attributes?.items.map { $0.last { $0["key"]?.string == name }?["value"] } ?? attributes?[name]
            return value?.text ?? ""
        }
        func value(_ name: String) -> String { template.text(raw(name)) }
        switch kind {
        case "noauth": break
        case "basic": auth = .basic(user: value("username"), password: value("password"))
        case "digest": auth = .digest(user: value("username"), password: value("password"))
        case "ntlm":
            let (user, domain) = (value("username"), value("domain"))
            auth = .ntlm(NTLMCredential(user: domain.isEmpty ? user : "\(domain)\\\(user)", password: value("password")))
        case "bearer": auth = .bearer(token: value("token"))
        case "apikey":
            // Postman sends the key in a header field by default.
            let key = APIKey(name: value("key"), value: value("value"), in: raw("in") == "query" ? .query : .header)
            if key.name.isEmpty { problem = "the API key has no name; add the header field" } else { auth = .apiKey(key) }
        case "oauth2":
            let token = value("accessToken")
            let prefix = raw("headerPrefix").isEmpty ? "Bearer" : raw("headerPrefix")
            if token.isEmpty {
                // Postman's default is not stored.
                let grant = raw("grant_type").isEmpty ? "authorization_code" : raw("grant_type")
                do throws(ImportedOAuth2.Refusal) {
                    auth = .oauth2(
                        try ImportedOAuth2.settings(grant: grant, sendsClientInBody: raw("client_authentication") == "body") { value(Self.name($0)) })
                } catch { problem = error.reason }
            } else if raw("addTokenTo") == "queryParams" {
                query = Parameter("access_token", token)
            } else if prefix.lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix("bearer") {
                auth = .bearer(token: token)
            } else {
                header = Parameter("Authorization", "\(prefix.prefix { !$0.isWhitespace }) \(token)")
            }
        default: problem = "auth: credentials of the kind \(kind) are not supported; the request is sent without them"
        }
    }

    /// The name of a setting in a collection.
    private static func name(_ field: OAuth2.Field) -> String {
        switch field {
        case .grant: "grant_type"
        case .authorizationURL: "authUrl"
        case .deviceURL: "deviceAuthorizationUrl"
        case .tokenURL: "accessTokenUrl"
        case .redirectURL: "redirect_uri"
        case .clientID: "clientId"
        case .clientSecret: "clientSecret"
        case .clientAuthentication: "client_authentication"
        case .user: "username"
        case .password, .scope, .audience: field.rawValue
        }
    }

    /// Whether a service can have these credentials for all its endpoints.
    var isPlain: Bool { header == nil && query == nil }

    /// Sets the credentials of an endpoint.
    func apply(to endpoint: inout Endpoint) {
        endpoint.auth = auth
        if let header, !endpoint.headers.contains(where: { $0.isEnabled && $0.name.lowercased() == header.name.lowercased() }) {
            endpoint.headers.append(header)
        }
        if let query { endpoint.query.append(query) }
    }
}
