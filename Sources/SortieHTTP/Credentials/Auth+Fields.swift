extension Auth {
    /// The credentials of several texts; nil for the schemes with a user and a password, a token, or nothing.
    private var credential: (any FieldCredential)? {
        switch self {
        case .inherit, .none, .basic, .bearer, .digest, .negotiate: nil
        case .oauth2(let settings): settings
        case .awsSigV4(let credential): credential
        case .jwt(let credential): credential
        case .ntlm(let credential): credential
        case .apiKey(let key): key
        }
    }

    /// The key of the scheme in files; nil for ``inherit`` and ``none``.
    package var scheme: String? {
        switch self {
        case .inherit, .none: nil
        case .basic: "basic"
        case .bearer: "bearer"
        case .digest: "digest"
        case .oauth2: "oauth2"
        case .awsSigV4: "awsSigV4"
        case .jwt: "jwt"
        case .ntlm: "ntlm"
        case .negotiate: "negotiate"
        case .apiKey: "apiKey"
        }
    }

    /// The fields that credentials with these values use, in the order of files.
    package var fields: [AuthField] {
        switch self {
        case .inherit, .none, .negotiate: []
        case .basic, .digest: [.user, .password]
        case .bearer: [.token]
        default: credential.map { Self.fields(of: $0) } ?? []
        }
    }

    private static func fields<Credential: FieldCredential>(of credential: Credential) -> [AuthField] {
        Credential.Field.allCases.filter(credential.uses).map { AuthField($0) }
    }

    /// The fields that are written to files, in their order.
    ///
    /// - Parameter isWritten: whether an optional field with its default is written.
    package func storedFields(_ isWritten: (AuthField) -> Bool) -> [AuthField] {
        credential.map { Self.storedFields(of: $0, isWritten) } ?? fields
    }

    private static func storedFields<Credential: FieldCredential>(of credential: Credential, _ isWritten: (AuthField) -> Bool) -> [AuthField] {
        Credential.Field.allCases.compactMap { field in
            let known = AuthField(field)
            return !field.isOptional || credential[field: field] != Credential.empty[field: field] || isWritten(known) ? known : nil
        }
    }

    /// The text of a field; empty for a field that the scheme does not have.
    package subscript(field: AuthField) -> String {
        get {
            switch self {
            case .inherit, .none, .negotiate: ""
            case .basic(let user, let password), .digest(let user, let password): field == .user ? user : field == .password ? password : ""
            case .bearer(let token): field == .token ? token : ""
            default: credential.map { Self.text(of: field, in: $0) } ?? ""
            }
        }
        set {
            switch self {
            case .inherit, .none, .negotiate: break
            case .basic(let user, let password):
                self = .basic(user: field == .user ? newValue : user, password: field == .password ? newValue : password)
            case .digest(let user, let password):
                self = .digest(user: field == .user ? newValue : user, password: field == .password ? newValue : password)
            case .bearer: if field == .token { self = .bearer(token: newValue) }
            case .oauth2(let settings): self = .oauth2(Self.setting(field, of: settings, to: newValue))
            case .awsSigV4(let credential): self = .awsSigV4(Self.setting(field, of: credential, to: newValue))
            case .jwt(let credential): self = .jwt(Self.setting(field, of: credential, to: newValue))
            case .ntlm(let credential): self = .ntlm(Self.setting(field, of: credential, to: newValue))
            case .apiKey(let key): self = .apiKey(Self.setting(field, of: key, to: newValue))
            }
        }
    }

    private static func text<Credential: FieldCredential>(of field: AuthField, in credential: Credential) -> String {
        Credential.Field(rawValue: field.name).map { credential[field: $0] } ?? ""
    }

    private static func setting<Credential: FieldCredential>(_ field: AuthField, of credential: Credential, to text: String) -> Credential {
        var result = credential
        if let known = Credential.Field(rawValue: field.name) { result[field: known] = text }
        return result
    }

    /// The texts that are not empty, in the order of ``fields``; not the words.
    package var texts: [String] {
        switch self {
        case .inherit, .none, .negotiate: []
        case .basic(let user, let password), .digest(let user, let password): [user, password]
        case .bearer(let token): [token]
        default: credential?.texts ?? []
        }
    }

    /// Returns the credentials with every text transformed.
    ///
    /// An empty text is transformed only for Basic, Digest and bearer tokens, which send it.
    package func mapping<Failure: Error>(_ transform: (AuthField, String) throws(Failure) -> String) throws(Failure) -> Auth {
        switch self {
        case .inherit, .none, .negotiate: self
        case .basic(let user, let password): .basic(user: try transform(.user, user), password: try transform(.password, password))
        case .digest(let user, let password): .digest(user: try transform(.user, user), password: try transform(.password, password))
        case .bearer(let token): .bearer(token: try transform(.token, token))
        case .oauth2(let settings): .oauth2(try settings.mapping { field, text throws(Failure) in try transform(AuthField(field), text) })
        case .awsSigV4(let credential):
            .awsSigV4(try credential.mapping { field, text throws(Failure) in try transform(AuthField(field), text) })
        case .jwt(let credential): .jwt(try credential.mapping { field, text throws(Failure) in try transform(AuthField(field), text) })
        case .ntlm(let credential): .ntlm(try credential.mapping { field, text throws(Failure) in try transform(AuthField(field), text) })
        case .apiKey(let key): .apiKey(try key.mapping { field, text throws(Failure) in try transform(AuthField(field), text) })
        }
    }

    /// What prevents the use of these credentials, which contain no templates; nil for nothing.
    package var problem: String? { credential?.problem }
}
