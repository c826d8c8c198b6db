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
            if token.isEmpty {
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
