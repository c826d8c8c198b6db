extension Request {
    /// Adds credentials; a header field that the user wrote takes precedence (S2.17, S2.18).
    ///
    /// - Parameter auth: the credentials without templates. Where it has none, the credentials of the URL are used.
    public mutating func authorize(_ auth: Auth) {
        let isFree = !headers.contains("Authorization")
        switch auth {
        case .inherit, .none:
            if isFree, let login = url.credentials {
                headers.append("Authorization", BasicCredentials.field(user: login.user, password: login.password))
            }
        case .basic(let user, let password):
            if isFree { headers.append("Authorization", BasicCredentials.field(user: user, password: password)) }
        case .bearer(let token):
            if isFree { headers.append("Authorization", "Bearer \(token)") }
        case .digest(let user, let password):
            options.digest = .init(user: user, password: password)
        case .oauth2(let settings):
            if isFree { options.oauth2 = settings }
        case .awsSigV4(let credential):
            if isFree { options.aws = credential }
        }
    }
}
