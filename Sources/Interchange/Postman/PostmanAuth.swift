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
            let row = Parameter(value("key"), value("value"))
            if row.name.isEmpty {
                problem = "the API key has no name; add the header field"
            } else if raw("in") == "query" {
                query = row
            } else {
                header = row
            }
        case "oauth2":
            let token = value("accessToken")
            let prefix = raw("headerPrefix").isEmpty ? "Bearer" : raw("headerPrefix")
            if token.isEmpty, let settings = Self.oauth2(raw("grant_type"), raw: raw, value: value) {
                auth = .oauth2(settings)
            } else if token.isEmpty {
                problem = "OAuth 2.0: the flow that gets a token is not imported; write auth: {bearer: {token: …}}, or use a plugin"
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

    /// The settings of a flow that gets a token; nil for one that is not supported, or without a token endpoint.
    private static func oauth2(_ grant: String, raw: (String) -> String, value: (String) -> String) -> OAuth2? {
        let known: OAuth2.Grant
        switch grant {
        // Postman's default; it stores no grant then.
        case "", "authorization_code", "authorization_code_with_pkce": known = .authorizationCode
        case "client_credentials": known = .clientCredentials
        case "password_credentials": known = .password
        default: return nil
        }
        guard !raw("accessTokenUrl").isEmpty, !raw("clientId").isEmpty else { return nil }
        var settings = OAuth2(
            grant: known, tokenURL: value("accessTokenUrl"), clientID: value("clientId"), clientSecret: value("clientSecret"))
        settings.clientAuthentication = raw("client_authentication") == "body" ? .post : .basic
        settings.scope = value("scope")
        if known == .password { (settings.user, settings.password) = (value("username"), value("password")) }
        if known == .authorizationCode {
            settings.authorizationURL = value("authUrl")
            // The page of Postman itself, which only Postman receives.
            let redirect = value("redirect_uri")
            if redirect.hasPrefix("http://localhost") || redirect.hasPrefix("http://127.0.0.1") { settings.redirectURL = redirect }
            guard !settings.authorizationURL.isEmpty else { return nil }
        }
        return settings
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
