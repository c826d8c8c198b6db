/// The credentials of a request: in a workspace with `{{templates}}` in its texts, in ``RequestOptions/credential`` without.
public enum Auth: Hashable, Sendable {
    /// The credentials of the layer below: those of the service, or of the client.
    case inherit
    /// No credentials, even where a layer below has some.
    case none
    /// `Authorization: Basic` (RFC 7617).
    case basic(user: String, password: String)
    /// `Authorization: Bearer` (RFC 6750).
    case bearer(token: String)
    /// Digest (RFC 7616), which needs a challenge of the server.
    case digest(user: String, password: String)
    /// A bearer token that is fetched and renewed (RFC 6749).
    indirect case oauth2(OAuth2)
    /// A signature of each attempt (AWS Signature Version 4).
    indirect case awsSigV4(AWSCredential)
    /// A JSON Web Token as a bearer token, created and signed for each attempt (RFC 7519).
    indirect case jwt(JWTCredential)
    /// NTLM, which authenticates a connection.
    indirect case ntlm(NTLMCredential)
    /// A Kerberos ticket of the user (Negotiate, RFC 4559).
    case negotiate
    /// A key as a header field or as a parameter of the query.
    indirect case apiKey(APIKey)
    /// A signature or a digest of each attempt by another scheme, such as HTTP message signatures.
    indirect case signature(SignatureCredential)
}

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
        case .signature(let credential): credential
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
        case .ntlm(let credential): credential.permitsOthers ? "any" : "ntlm"
        case .negotiate: "negotiate"
        case .apiKey: "apiKey"
        case .signature(let credential): credential.scheme.rawValue
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
            case .signature(let credential): self = .signature(Self.setting(field, of: credential, to: newValue))
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
        case .signature(let credential):
            .signature(try credential.mapping { field, text throws(Failure) in try transform(AuthField(field), text) })
        }
    }

    /// What prevents the use of these credentials, which contain no templates; nil for nothing.
    package var problem: String? { missing ?? credential?.problem }

    /// The part without which these credentials, which may contain templates, cannot be used; nil where none is empty.
    package var missing: String? {
        if case .bearer("") = self { return "the token is empty" }
        return credential.flatMap { Self.missing(in: $0) }
    }

    private static func missing(in credential: some FieldCredential) -> String? {
        credential.missingFields.first.map { "\($0.rawValue) is missing" }
    }

    /// The scheme that a challenge of the server must have, named as there; nil for credentials that need no challenge.
    package var challengeScheme: String? {
        switch self {
        case .digest: "Digest"
        case .ntlm(let credential): credential.permitsOthers ? "Digest, NTLM or Basic" : "NTLM"
        case .negotiate: "Negotiate"
        case .inherit, .none, .basic, .bearer, .oauth2, .awsSigV4, .jwt, .apiKey, .signature: nil
        }
    }

    /// Whether a request has them beside a field `Authorization`, because they are other fields.
    package var isBesideAuthorization: Bool {
        if case .signature(let credential) = self { credential.scheme == .httpSignature } else { false }
    }

    /// The user and the password with which the engine responds to a challenge; nil for other credentials.
    package var login: (user: String, password: String)? {
        switch self {
        case .digest(let user, let password): (user, password)
        case .ntlm(let credential): (credential.user, credential.password)
        case .inherit, .none, .basic, .bearer, .oauth2, .awsSigV4, .jwt, .negotiate, .apiKey, .signature: nil
        }
    }

    /// What each attempt carries that the message does not contain before it is sent; nil for credentials that are constant texts.
    package var addition: String? {
        switch self {
        case .digest, .ntlm: challengeScheme.map { "the \($0) login" }
        case .oauth2: "the OAuth 2 token"
        case .awsSigV4: "the AWS signature"
        case .jwt: "the JSON Web Token"
        case .negotiate: "the Kerberos ticket"
        case .signature(let credential): "the signature (\(credential.scheme.rawValue))"
        case .inherit, .none, .basic, .bearer, .apiKey: nil
        }
    }
}

/// A text of the credentials of an endpoint, of any scheme.
package struct AuthField: Hashable, Sendable {
    /// The key in files.
    package let name: String
    /// Whether the text is a secret.
    package let isSecret: Bool
    /// The permitted values; nil for any text.
    package let words: [String]?
    /// Whether the text is a URL.
    package let isURL: Bool
    /// Whether the text is JSON.
    package let isJSON: Bool

    private init(_ name: String, isSecret: Bool = false) {
        (self.name, self.isSecret, words, isURL, isJSON) = (name, isSecret, nil, false, false)
    }

    /// A field of credentials of several texts.
    package init(_ field: some CredentialField) {
        (name, isSecret, words) = (field.rawValue, field.isSecret, field.words)
        (isURL, isJSON) = (field.isURL, field.isJSON)
    }

    /// The user of Basic and Digest.
    package static let user = AuthField("user")
    /// The password of Basic and Digest.
    package static let password = AuthField("password", isSecret: true)
    /// The bearer token.
    package static let token = AuthField("token", isSecret: true)
}

/// A text of credentials, named like its key in files.
package protocol CredentialField: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// Whether the text is a secret.
    var isSecret: Bool { get }
    /// The permitted values; nil for any text.
    var words: [String]? { get }
    /// Whether the text is a URL.
    var isURL: Bool { get }
    /// Whether the text is JSON.
    var isJSON: Bool { get }
    /// Whether files may omit the text where it has its default.
    var isOptional: Bool { get }
}

extension CredentialField {
    package var words: [String]? { nil }
    package var isURL: Bool { false }
    package var isJSON: Bool { false }
    package var isOptional: Bool { false }
}

/// Credentials of several texts, which may contain `{{templates}}`; an empty text is not sent.
package protocol FieldCredential: Hashable, Sendable {
    associatedtype Field: CredentialField

    /// Credentials without texts.
    static var empty: Self { get }

    /// The property with the text of a field.
    static func path(of field: Field) -> WritableKeyPath<Self, String>

    /// Whether credentials with these values use a field.
    func uses(_ field: Field) -> Bool

    /// The fields that are needed and empty.
    var missingFields: [Field] { get }

    /// What prevents the use of these texts, which contain no templates; nil for nothing.
    var problem: String? { get }

    /// What prevents the use of the text of a field, which contains no template and is not empty, whatever the other texts are; nil for nothing.
    func problem(of field: Field) -> String?
}

extension RawRepresentable<String> {
    /// The word for a value; a text that is no word changes nothing.
    var word: String {
        get { rawValue }
        set { if let value = Self(rawValue: newValue) { self = value } }
    }
}

extension FieldCredential {
    /// The text of a field; a text that is not among the words of the field changes nothing.
    package subscript(field field: Field) -> String {
        get { self[keyPath: Self.path(of: field)] }
        set { self[keyPath: Self.path(of: field)] = newValue }
    }

    package func uses(_ field: Field) -> Bool { true }

    package var problem: String? {
        missingFields.first.map { "\($0.rawValue) is missing" } ?? Field.allCases.lazy.compactMap { problem(of: $0) }.first
    }

    package func problem(of field: Field) -> String? { nil }

    /// The texts that are not empty; not the words.
    package var texts: [String] { Field.allCases.filter { $0.words == nil }.map { self[field: $0] }.filter { !$0.isEmpty } }

    /// Returns the credentials with every text transformed that is not empty; not the words.
    package func mapping<Failure: Error>(_ transform: (Field, String) throws(Failure) -> String) throws(Failure) -> Self {
        var result = self
        for field in Field.allCases where field.words == nil && !self[field: field].isEmpty {
            result[field: field] = try transform(field, self[field: field])
        }
        return result
    }
}
