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
