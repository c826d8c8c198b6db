/// When a server wants to be asked again (RFC 9110 §10.2.3): `Retry-After` as a number of seconds or as a date.
public enum RetryAfter {
    /// How many seconds to wait, nil where nothing is said; a date in the past is 0.
    ///
    /// - Parameter now: our clock, for a date where the answer has no `Date` of its own.
    public static func seconds(in headers: Headers, now: HTTPDate) -> Double? {
        guard let text = headers["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) { return Double(text) }
        guard let date = HTTPDate(text) else { return nil }
        // The server's clock and ours may differ; its own `Date` is the one that it meant.
        let from = headers["Date"].flatMap { HTTPDate($0) } ?? now
        return Double(max(0, date.seconds - from.seconds))
    }
}
