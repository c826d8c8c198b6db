extension Request {
    /// Adds credentials; a header field that the user wrote takes precedence.
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
            options.login = .init(.digest, user: user, password: password)
        case .oauth2(let settings):
            if isFree { options.oauth2 = settings }
        case .awsSigV4(let credential):
            if isFree { options.aws = credential }
        case .jwt(let credential):
            if isFree { options.jwt = credential }
        case .ntlm(let credential):
            if isFree { options.login = .init(.ntlm, user: credential.user, password: credential.password) }
        case .negotiate:
            if isFree { options.negotiates = true }
        case .apiKey(let key): add(key)
        }
    }

    /// Adds a key; a header field or a parameter of its name that the user wrote takes precedence.
    ///
    /// Its name becomes that of a secret of the request, so that the key is masked, and another origin does not receive it.
    private mutating func add(_ key: APIKey) {
        secrets.keys[key.name] = key.value
        switch key.place {
        case .header:
            if !headers.contains(key.name) { headers.append(key.name, key.value) }
        case .query:
            let names = (url.query ?? "").split(separator: "&").map { PercentEncoding.decode($0.prefix { $0 != "=" }) }
            if !names.contains(key.name) { url = url.appending(query: [(key.name, key.value)]) }
        }
    }
}
