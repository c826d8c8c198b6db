internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// Descriptions of a cookie for all panes.
enum CookieWords {
    /// The scope, lifetime and attributes of a cookie.
    static func text(of cookie: Cookie, at now: Date) -> String {
        let place = ["\(cookie.domain)\(cookie.isHostOnly ? "" : " and below")", "path \(cookie.path)"]
        return (place + [end(of: cookie, at: now)] + flags(of: cookie)).joined(separator: " · ")
    }

    /// The lifetime of a cookie.
    ///
    /// - Parameter isShort: Whether to use the form for a column, such as `session`, `12.0 s` or `2030-01-31`.
    static func end(of cookie: Cookie, at now: Date, isShort: Bool = false) -> String {
        guard let end = cookie.expiresAt else { return isShort ? "session" : "until the session ends" }
        let seconds = end.timeIntervalSince(now)
        let text =
            seconds < 86_400
            ? NumberText.seconds(seconds.rounded()) : String(CalendarTime(secondsSince1970: end.timeIntervalSince1970).iso8601.prefix(10))
        return isShort ? text : seconds < 86_400 ? "for \(text)" : "until \(text)"
    }

    /// The other attributes of the cookie.
    static func flags(of cookie: Cookie) -> [String] {
        var words: [String] = []
        if cookie.isSecure { words.append("Secure") }
        if cookie.isHTTPOnly { words.append("HttpOnly") }
        if let sameSite = cookie.sameSite { words.append("SameSite=\(sameSite.rawValue)") }
        return words
    }
}
