internal import SortieHTTP

/// The media type of an encrypted body, with the original type as a parameter: `application/vnd.sortie.aes-gcm; type="text/plain"`.
enum EncryptedType {
    static let essence = "application/vnd.sortie.aes-gcm"

    /// The content type of an encrypted body whose original type is `inner`.
    static func wrapping(_ inner: String?) -> String {
        guard let inner else { return essence }
        // A quoted string, because a type contains characters that a token must not contain (RFC 9110 §5.6.4).
        let quoted = inner.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\(essence); type=\"\(String(quoted))\""
    }

    /// Whether a field value names an encrypted body.
    static func matches(_ contentType: String?) -> Bool {
        contentType.flatMap { MediaType($0) }?.essence == essence
    }

    /// The original type; nil when the parameter is missing.
    static func inner(of contentType: String) -> String? {
        for parameter in parameters(of: contentType) {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingOptionalWhitespace.lowercased() == "type" else { continue }
            return unquoted(pair[1].trimmingOptionalWhitespace)
        }
        return nil
    }

    /// The parameters, split at semicolons outside quoted strings.
    private static func parameters(of contentType: String) -> ArraySlice<Substring> {
        var isQuoted = false
        var isEscaped = false
        return contentType.split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
                return false
            }
            if character == "\\", isQuoted { isEscaped = true }
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }.dropFirst()
    }

    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.first == "\"", value.last == "\"" else { return value }
        var result = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
