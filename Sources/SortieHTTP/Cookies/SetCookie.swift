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
    /// The last `Path`; nil where it does not begin with `/`, so that the default path applies.
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
        let pieces = text.utf8.prefix { $0 != 0 }.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.trimmed)
        let pair = pieces.first ?? ""
        guard let equals = pair.firstIndex(of: "=") else { throw CookieRefusal("it has no “=”") }
        name = Self.trimmed(pair[..<equals].utf8)
        value = Self.trimmed(pair[pair.index(after: equals)...].utf8)
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
        let value = equals < text.endIndex ? Self.trimmed(text[text.index(after: equals)...].utf8) : ""
        guard value.utf8.count <= Self.longestAttribute else { return }
        switch Self.trimmed(text[..<equals].utf8).lowercased() {
        case "expires": if let date = CookieDate.parse(value) { expires = date }
        case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain": if !value.isEmpty { domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased() }
        case "path": path = value.hasPrefix("/") ? value : nil
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

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

/// Why a cookie is rejected, in words that follow its name.
package struct CookieRefusal: Error, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
