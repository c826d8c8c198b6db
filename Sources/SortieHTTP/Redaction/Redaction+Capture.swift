internal import SortieBase

/// Values that a run captures for its later steps are secrets, as those of `secrets:` are.
extension Redaction {
    /// The fewest characters of a value that is hidden although no name says that it is a secret.
    private static let shortestCapture = 8

    /// Whether a captured value is hidden wherever it appears.
    ///
    /// Hidden is every value whose name, or the field, cookie or JSON key it comes from, is that of a credential, and every other one of 8 characters or
    /// more that is no number, no Boolean and no URL: an order number that goes into a path does not make bodies unreadable.
    ///
    /// - Parameter source: where it was captured, as the run writes it: `$.token`, `header X-Token`, `status`.
    public func hidesCapture(_ value: String, named name: String, from source: String?) -> Bool {
        if isSecretPath(name) { return true }
        if let source, isSecretPath(source.hasPrefix("header ") ? source.dropFirst(7).filter { $0 != " " } : source) { return true }
        return value.count >= Self.shortestCapture && !Self.isPlain(value)
    }

    /// Whether a text is a number, `true`, `false` or `null`, or a URL, whose query and password are masked by their names.
    private static func isPlain(_ value: String) -> Bool {
        if ["true", "false", "null", "undefined"].contains(value.lowercased()) || HTTPURL.isAbsolute(value) { return true }
        let isNumeric = value.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
        return isNumeric && Double(value) != nil
    }
}
