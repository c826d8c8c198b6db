internal import SortieHTTP

/// The media type of an encrypted body, with the original type as a parameter: `application/vnd.sortie.aes-gcm; type="text/plain"`.
enum EncryptedType {
    static let essence = "application/vnd.sortie.aes-gcm"

    /// The content type of an encrypted body whose original type is `inner`.
    static func wrapping(_ inner: String?) -> String {
        guard let inner else { return essence }
        // A quoted string, because a type contains characters that a token must not contain (RFC 9110 §5.6.4).
        return "\(essence); type=\(FieldParameters.quoted(inner))"
    }

    /// Whether a field value names an encrypted body.
    static func matches(_ contentType: String?) -> Bool {
        contentType.flatMap { MediaType($0) }?.essence == essence
    }

    /// The original type; nil when the parameter is missing.
    static func inner(of contentType: String) -> String? { FieldParameters(of: contentType)["type"] }
}
