internal import SortieBase

package import struct FoundationEssentials.Date

/// A `Set-Cookie` field parsed according to RFC 6265 §5.2; ``Cookies`` applies it.
package struct SetCookie: Hashable {
    package var name: String
    package var value: String
    /// The last valid `Expires`.
    package var expires: Date?
    /// The last valid `Max-Age` in seconds; it takes precedence over `Expires`.
    var maxAge: Int64?
    /// The last non-empty `Domain`, without the leading dot, in lowercase.
    package var domain: String?
    /// The last `Path`; nil where it does not begin with `/` or has control characters, so that the default path applies.
    package var path: String?
    package var isSecure = false
    package var isHTTPOnly = false
    package var sameSite: Cookie.SameSite?

    /// The maximum length of an attribute value; longer ones are ignored (RFC 6265bis §5.6).
    private static let longestAttribute = 1024
    /// The maximum number of bytes of name and value together (RFC 6265 §6.1).
    package static let largest = 4096

    /// Parses the value of a field.
    ///
    /// - Throws: The reason why the field sets no cookie.
    package init(parsing text: String) throws(CookieRefusal) {
        // A NUL ends the text, as in programs that use C strings.
        let pieces = text.utf8.prefix { $0 != 0 }.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            Substring($0).trimmingOptionalWhitespace
        }
        let pair = pieces.first ?? ""
        guard let equals = pair.firstIndex(of: "=") else { throw CookieRefusal("it has no “=”") }
        name = pair[..<equals].trimmingOptionalWhitespace
        value = pair[pair.index(after: equals)...].trimmingOptionalWhitespace
        guard !name.isEmpty else { throw CookieRefusal("it has no name") }
        guard name.utf8.count + value.utf8.count <= Self.largest else {
            throw CookieRefusal("name and value are longer than \(Self.largest) bytes")
        }
        // The cookie is sent back in a header field, which must not contain control characters.
        guard name.utf8.allSatisfy({ $0 > 0x1f && $0 != 0x7f }), value.utf8.allSatisfy({ $0 > 0x1f && $0 != 0x7f || $0 == 0x09 }) else {
            throw CookieRefusal("it contains a control character")
        }
        for piece in pieces.dropFirst() { take(attribute: piece) }
    }

    private mutating func take(attribute text: String) {
        let equals = text.firstIndex(of: "=") ?? text.endIndex
        let value = equals < text.endIndex ? text[text.index(after: equals)...].trimmingOptionalWhitespace : ""
        guard value.utf8.count <= Self.longestAttribute else { return }
        switch text[..<equals].trimmingOptionalWhitespace.lowercased() {
        case "expires": if let date = CookieDate.parse(value) { expires = date }
        case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain": if !value.isEmpty { domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased() }
        // No request has a path with control characters, and a file of cookies could not contain it.
        case "path": path = value.hasPrefix("/") && value.utf8.allSatisfy({ $0 > 0x1f && $0 != 0x7f }) ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = [.strict, .lax, .none].first { $0.rawValue.lowercased() == value.lowercased() }
        default: break
        }
    }

    /// Parses an integer without surrounding text; one that is too large counts as the largest.
    private static func seconds(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return isNegative ? 0 : Int64(digits) ?? .max
    }
}

/// Why a cookie is rejected, in words that follow its name.
package struct CookieRefusal: Error, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A parser for the dates of `Expires`, as lenient as RFC 6265 §5.1.1 requires: any order, any delimiters, two-digit years.
enum CookieDate {
    /// Parses a date; nil for other text.
    package static func parse(_ text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text[...].utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = timeOfDay(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        let found = CalendarTime(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
        // A day that does not exist becomes one of another month.
        guard CalendarTime(secondsSince1970: found.secondsSince1970) == found else { return nil }
        return Date(timeIntervalSince1970: found.secondsSince1970)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    /// Parses `hh:mm:ss`, each part with one or two digits; a non-digit after it and the rest of the token are ignored.
    private static func timeOfDay(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(ASCII.isDigit), fields[1].allSatisfy(ASCII.isDigit),
            let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2), let second = number(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// The number at the start of a token, when the count of its digits is in the range; a non-digit after it is ignored.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let front = token.prefix(while: ASCII.isDigit)
        guard digits.contains(front.count) else { return nil }
        return front.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        guard token.count >= 3 else { return nil }
        let name = token.prefix(3).map(ASCII.lowercased)
        return CalendarTime.months.firstIndex { $0.utf8.lazy.map(ASCII.lowercased).elementsEqual(name) }.map { $0 + 1 }
    }
}
