internal import SortieHTTP

extension OAuth2.Field {
    /// The name on the Auth tab.
    var label: String {
        switch self {
        case .grant: "Grant"
        case .tokenURL: "Token URL"
        case .clientID: "Client ID"
        case .clientSecret: "Client secret"
        case .clientAuthentication: "Client sends"
        case .user: "User"
        case .password: "Password"
        case .scope: "Scope"
        case .audience: "Audience"
        }
    }
}
