package import struct FoundationEssentials.Date

/// Cookies that the user types, checked by the same rules as those of servers.
extension Cookie {
    /// Why the cookie cannot be stored; nil when it can.
    public var problem: String? {
        if name.isEmpty { return "a cookie needs a name" }
        if name.contains(where: { $0 == "=" || $0 == ";" }) || !Self.isPlain(name) { return "a name must not contain “=”, “;” or control characters" }
        if value.contains(";") || !Self.isPlain(value) { return "a value must not contain “;” or control characters" }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true { return "a name must not begin or end with a blank" }
        if domain.isEmpty || domain.contains(where: { $0 == "/" || $0.isWhitespace }) || !Self.isPlain(domain) {
            return "“\(domain)” is not a host: write one like shop.example, without scheme and port"
        }
        if !isHostOnly, !domain.contains(".") || IPAddress(domain) != nil { return "\(domain) has no subdomains" }
        if !path.hasPrefix("/") || path.contains(";") || !Self.isPlain(path) { return "a path must begin with “/”" }
        return prefixProblem(hasDomain: !isHostOnly)
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x1f && $0 != 0x7f } }

    /// The requirement of the name's prefix that the cookie violates; nil without one (RFC 6265bis §4.1.3).
    func prefixProblem(hasDomain: Bool) -> String? {
        let name = name.lowercased()
        if name.hasPrefix("__secure-") || name.hasPrefix("__host-"), !isSecure { return "a name with this prefix requires Secure" }
        if name.hasPrefix("__host-"), hasDomain || path != "/" { return "a name that begins with __Host- requires Path=/ and no Domain" }
        return nil
    }

    /// An expiry that the user types.
    package enum TypedEnd: Hashable, Sendable {
        case session
        case moment(Date)

        /// Parses `session`, an empty text, `30m`, `12h`, `7d`, `2027-01-31`, `2027-01-31T12:00:00Z`, or a date as in `Expires`; nil for other text.
        package init?(_ text: String, at now: Date) {
            let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if text.isEmpty || text == "session" {
                self = .session
                return
            }
            let units = ["s": 1.0, "m": 60, "h": 3600, "d": 86_400]
            if let unit = text.last.flatMap({ units[String($0)] }), let count = Double(text.dropLast()), count >= 0, count < 1e7 {
                self = .moment(now.addingTimeInterval(count * unit))
                return
            }
            guard let date = CookieDate.parse(Self.spelledOut(text) ?? text) else { return nil }
            self = .moment(date)
        }

        /// Rewrites `2027-01-31T12:00:00Z` as `31 Jan 2027 12:00:00`.
        private static func spelledOut(_ text: String) -> String? {
            let parts = text.split(separator: "T", maxSplits: 1)
            let date = parts[0].split(separator: "-")
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            guard date.count == 3, date[0].count == 4, let month = Int(date[1]), (1...12).contains(month) else { return nil }
            var time = parts.count == 2 ? String(parts[1]) : "00:00:00"
            if time.hasSuffix("Z") { time.removeLast() }
            if time.split(separator: ":").count == 2 { time += ":00" }
            return "\(date[2]) \(months[month - 1]) \(date[0]) \(time)"
        }
    }
}
