internal import SortieHTTP

/// The authentication schemes that the user can choose, the most common ones first.
enum AuthChoice: String, Hashable, Sendable, CaseIterable {
    case inherit = "Inherit"
    case none = "None"
    case basic = "Basic"
    case bearer = "Bearer"
    case apiKey = "API key"
    case oauth2 = "OAuth 2"
    case digest = "Digest"
    case jwt = "JWT"
    case awsSigV4 = "AWS Signature"
    case ntlm = "NTLM"
    case negotiate = "Negotiate"
    case any = "Any"
    case httpSignature = "HTTP signature"
    case hawk = "Hawk"
    case wsse = "WSSE"

    init(_ auth: Auth) {
        switch auth {
        case .inherit: self = .inherit
        case .none: self = .none
        case .basic: self = .basic
        case .bearer: self = .bearer
        case .digest: self = .digest
        case .ntlm(let credential): self = credential.permitsOthers ? .any : .ntlm
        case .negotiate: self = .negotiate
        case .oauth2: self = .oauth2
        case .awsSigV4: self = .awsSigV4
        case .jwt: self = .jwt
        case .apiKey: self = .apiKey
        case .signature(let credential):
            self =
                switch credential.scheme {
                case .httpSignature: .httpSignature
                case .hawk: .hawk
                case .wsse: .wsse
                }
        }
    }

    /// The part of the guide about the scheme.
    var guideAddress: String {
        switch self {
        case .inherit, .none: "authentication"
        case .basic, .bearer, .digest, .any: "authentication#kinds"
        case .apiKey: "authentication#api-keys"
        case .oauth2: "authentication#oauth-2"
        case .jwt: "authentication#json-web-tokens"
        case .awsSigV4: "authentication#aws"
        case .ntlm: "authentication#ntlm"
        case .negotiate: "authentication#kerberos"
        case .httpSignature, .hawk, .wsse: "authentication#signatures"
        }
    }

    /// The authentication with the credentials of the old scheme where they fit, otherwise with those typed before.
    func auth(from old: Auth, before: Auth?) -> Auth {
        guard AuthChoice(old) != self else { return old }
        switch old {
        case .basic, .digest, .ntlm:
            if let auth = auth(user: old[.user], password: old[.password]) { return auth }
        default: break
        }
        if let before { return before }
        switch self {
        case .inherit: return .inherit
        case .none: return .none
        case .basic: return .basic(user: "", password: "")
        case .digest: return .digest(user: "", password: "")
        case .ntlm: return .ntlm(.empty)
        case .negotiate: return .negotiate
        case .bearer: return .bearer(token: "")
        case .oauth2: return .oauth2(.empty)
        case .awsSigV4: return .awsSigV4(.empty)
        case .jwt: return .jwt(.empty)
        case .apiKey: return .apiKey(.empty)
        case .any: return auth(user: "", password: "") ?? .none
        case .httpSignature: return .signature(SignatureCredential(.httpSignature))
        case .hawk: return .signature(SignatureCredential(.hawk))
        case .wsse: return .signature(SignatureCredential(.wsse))
        }
    }

    /// The authentication with a user and a password; nil for one that has more or none.
    private func auth(user: String, password: String) -> Auth? {
        switch self {
        case .basic: .basic(user: user, password: password)
        case .digest: .digest(user: user, password: password)
        case .ntlm: .ntlm(NTLMCredential(user: user, password: password))
        case .any: .ntlm(NTLMCredential(user: user, password: password, permitsOthers: true))
        default: nil
        }
    }

    /// The description in the list.
    var detail: String {
        switch self {
        case .inherit: "the auth of the service"
        case .none: "no auth, even if the service has one"
        case .basic: "user and password, RFC 7617"
        case .bearer: "a token, RFC 6750"
        case .digest: "user and password, challenge and response, RFC 7616"
        case .ntlm: "user and password, authenticates the connection"
        case .negotiate: "the Kerberos ticket of kinit, RFC 4559"
        case .oauth2: "a token that is fetched and renewed, RFC 6749"
        case .awsSigV4: "a signature of each attempt, version 4"
        case .jwt: "a token that is created and signed for each attempt, RFC 7519"
        case .any: "user and password, by the strongest scheme that the server offers"
        case .httpSignature: "a signature of each attempt, RFC 9421"
        case .hawk: "a code of each attempt with a shared key"
        case .wsse: "a digest of nonce, time and password"
        case .apiKey: "a key as a header field or as a parameter of the query"
        }
    }
}
