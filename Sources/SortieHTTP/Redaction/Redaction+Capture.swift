internal import SortieBase

/// Masking of captured values: values that a run captures for later steps are secrets like those of `secrets:`.
extension Redaction {
    /// The minimum number of characters of a hidden value whose name is not that of a secret.
    private static let shortestCapture = 8

    /// Whether a captured value is hidden everywhere.
    ///
    /// A value is hidden when its name, or the field, cookie or JSON key it comes from, denotes a credential. Every other value of at least 8
    /// characters is hidden unless it is a number, a Boolean or a URL. An order number in a path therefore does not make bodies unreadable.
    ///
    /// - Parameter source: the source of the value in the notation of a run: `$.token`, `header X-Token`, `status`.
    package func hidesCapture(_ value: String, named name: String, from source: String?) -> Bool {
        if isSecretPath(name) { return true }
        if let source, isSecretPath(source.hasPrefix("header ") ? source.dropFirst(7).filter { $0 != " " } : source) { return true }
        return value.count >= Self.shortestCapture && !Self.isPlain(value)
    }

    /// Whether a text is a number, `true`, `false`, `null`, or a URL, whose query and password are masked by name.
    private static func isPlain(_ value: String) -> Bool {
        if ["true", "false", "null", "undefined"].contains(value.lowercased()) || HTTPURL.isAbsolute(value) { return true }
        let isNumeric = value.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
        return isNumeric && Double(value) != nil
    }
}
