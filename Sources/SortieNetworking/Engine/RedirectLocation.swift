internal import SortieHTTP

/// The target of a redirect response (RFC 9110 §15.4).
enum RedirectLocation {
    /// The statuses of redirects.
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The target that a response redirects to, as written; nil for a final response.
    ///
    /// A redirect status without a `Location` or with an empty one is final, so its body is delivered. Of several fields the first one with a value
    /// counts.
    static func location(status: Int, headers: Headers) -> String? {
        guard statuses.contains(status) else { return nil }
        return headers.values(of: "Location").first { !$0.isEmpty }
    }
}
