internal import SortieBase

/// Parses `Retry-After` (RFC 9110 §10.2.3), a number of seconds or a date.
package enum RetryAfter {
    /// The delay in seconds; nil without a valid field, 0 for a date in the past.
    ///
    /// - Parameter now: The local time, used with a date where the response has no `Date`.
    package static func seconds(in headers: Headers, now: HTTPDate) -> Double? {
        guard let text = headers["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) { return Double(text) }
        guard let date = HTTPDate(text) else { return nil }
        // The server's clock may differ from the local one, so the date is relative to the response's `Date`.
        let from = headers["Date"].flatMap { HTTPDate($0) } ?? now
        return Double(max(0, date.seconds - from.seconds))
    }
}
