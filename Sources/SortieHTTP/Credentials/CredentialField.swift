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
