internal import Model

/// The ways of showing who asks that a person can choose.
enum AuthChoice: String, Hashable, Sendable, CaseIterable {
    case inherit = "Inherit"
    case none = "None"
    case basic = "Basic"
    case bearer = "Bearer"
    case digest = "Digest"

    init(_ auth: Auth) {
        switch auth {
        case .inherit: self = .inherit
        case .none: self = .none
        case .basic: self = .basic
        case .bearer: self = .bearer
        case .digest: self = .digest
        }
    }

    /// This way with what another one already knows.
    func auth(from old: Auth) -> Auth {
        guard AuthChoice(old) != self else { return old }
        var login = (user: "", password: "")
        switch old {
        case .basic(let user, let password), .digest(let user, let password): login = (user, password)
        case .inherit, .none, .bearer: break
        }
        switch self {
        case .inherit: return .inherit
        case .none: return .none
        case .basic: return .basic(user: login.user, password: login.password)
        case .digest: return .digest(user: login.user, password: login.password)
        case .bearer: return .bearer(token: "")
        }
    }

    /// What it is.
    var detail: String {
        switch self {
        case .inherit: "as the service says"
        case .none: "nothing, also where the service says something"
        case .basic: "user and password, RFC 7617"
        case .bearer: "a token, RFC 6750"
        case .digest: "user and password in rounds with the server, RFC 7616"
        }
    }
}
