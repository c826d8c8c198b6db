internal import SortieBase
internal import SortieHTTP

/// A flow of OAuth 2 in an exported description.
struct OpenAPIExportFlow {
    /// The name of the flow in `flows`.
    private let name: String
    /// The URLs by their names.
    private let urls: [JSONValue.Member]
    /// The requested scopes.
    var scopes: [String]
    /// Whether only OpenAPI 3.2 has the flow.
    let isNewer: Bool

    /// - Returns: nil where the value of a part of a URL is not known.
    init?(_ settings: OAuth2, _ values: OpenAPIExportValues) {
        var names = [("tokenUrl", settings.tokenURL)]
        switch settings.grant {
        case .clientCredentials: name = "clientCredentials"
        case .password: name = "password"
        case .authorizationCode:
            name = "authorizationCode"
            names.insert(("authorizationUrl", settings.authorizationURL), at: 0)
        case .deviceCode:
            name = "deviceAuthorization"
            names.insert(("deviceAuthorizationUrl", settings.deviceURL), at: 0)
        }
        isNewer = settings.grant == .deviceCode
        var urls: [JSONValue.Member] = []
        for (name, template) in names {
            guard let url = values.text(template) else { return nil }
            urls.append(.init(name, .string(url)))
        }
        self.urls = urls
        scopes = (values.text(settings.scope) ?? "").split(separator: " ").map { String($0) }
    }

    /// Whether both are one flow with other scopes.
    func isSame(as other: OpenAPIExportFlow) -> Bool { name == other.name && urls == other.urls }

    /// The security scheme.
    var scheme: JSONValue {
        let scopes = JSONValue.Member("scopes", .object(scopes.map { .init($0, "") }))
        return ["type": "oauth2", "flows": .object([.init(name, .object(urls + [scopes]))])]
    }
}
