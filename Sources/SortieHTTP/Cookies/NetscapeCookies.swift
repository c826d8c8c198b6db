internal import SortieBase

package import struct FoundationEssentials.Date

/// A cookie file in the Netscape format, which `curl -b` reads and `curl -c` writes.
///
/// Each cookie has a line of seven fields separated by tabs: domain, whether subdomains are included, path, whether it is secure, seconds since 1970
/// (0 for a session cookie), name, value. `#HttpOnly_` before the domain marks cookies hidden from scripts. The format has no field for `SameSite`.
package struct NetscapeCookies: Hashable, Sendable {
    /// The cookies, in the order of their lines.
    package var cookies: [Cookie]
    /// The other lines: comments, and lines that could not be parsed.
    ///
    /// They are preserved and written before the cookies.
    package var otherLines: [[UInt8]] = []
    /// The lines that could not be parsed.
    package var problems: [Problem] = []

    /// A line that could not be parsed.
    package struct Problem: Hashable, Sendable {
        /// The number of the line, from 1.
        package var line: Int
        /// The description of the problem.
        package var message: String
    }

    /// Creates a file with `cookies`.
    package init(_ cookies: [Cookie]) {
        self.cookies = cookies
    }

    /// Parses a file; expired cookies are omitted.
    package init(parsing bytes: [UInt8], at now: Date) {
        cookies = []
        let text = bytes.dropFirst(bytes.starts(with: TextEncoding.utf8.mark) ? TextEncoding.utf8.mark.count : 0)
        for (index, line) in text.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            // curl accepts spaces before the domain, too.
            let line = line.dropLast(line.reversed().prefix { $0 == 0x0d }.count).drop { $0 == 0x20 }
            guard line.contains(where: { !$0.isSpaceOrTab }) else { continue }
            guard line.first != UInt8(ascii: "#") || line.starts(with: Self.httpOnlyMark) else {
                otherLines.append(Array(line))
                continue
            }
            do throws(CookieRefusal) {
                let cookie = try Self.cookie(line)
                if !cookie.isExpired(at: now) { cookies.append(cookie) }
            } catch {
                otherLines.append(Array(line))
                problems.append(Problem(line: index + 1, message: error.reason))
            }
        }
    }

    private static let httpOnlyMark = Array("#HttpOnly_".utf8)
    private static let title = Array("# Netscape HTTP Cookie File".utf8)

    private static func cookie(_ line: ArraySlice<UInt8>) throws(CookieRefusal) -> Cookie {
        let isHTTPOnly = line.starts(with: httpOnlyMark)
        let text = FieldOctets.text(isHTTPOnly ? line.dropFirst(httpOnlyMark.count) : line)
        guard text.utf8.allSatisfy({ $0 > 0x1f && $0 != 0x7f || $0 == 0x09 }) else { throw CookieRefusal("it contains a control character") }
        var fields = text.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
        // The trailing tab of a cookie without a value may be lost, for example when an editor strips it.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7 else {
            throw CookieRefusal("it has \(ItemCount.text(fields.count, "field")) between tabs, not 7")
        }
        let domain = (fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]).lowercased()
        guard !domain.isEmpty else { throw CookieRefusal("it has no domain") }
        // When such a line is written, it would be a comment, or lose another period when it is read.
        guard let first = domain.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ".") else {
            throw CookieRefusal("“\(domain)” is not a domain")
        }
        guard let expires = Int64(fields[4]) else { throw CookieRefusal("“\(fields[4])” is not a number of seconds since 1970") }
        guard !fields[5].isEmpty else { throw CookieRefusal("the cookie has no name") }
        return Cookie(
            name: fields[5], value: fields[6], domain: domain, isHostOnly: try !flag(fields[1]),
            path: fields[2].hasPrefix("/") ? fields[2] : "/",
            expiresAt: expires == 0 ? nil : min(Date(timeIntervalSince1970: Double(expires)), Cookie.lastExpiry), isSecure: try flag(fields[3]),
            isHTTPOnly: isHTTPOnly)
    }

    private static func flag(_ text: String) throws(CookieRefusal) -> Bool {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: throw CookieRefusal("“\(text)” is neither TRUE nor FALSE")
        }
    }

    /// The content of the file.
    package var bytes: [UInt8] {
        var lines = otherLines
        if lines.first != Self.title { lines.insert(Self.title, at: 0) }
        lines += cookies.map { FieldOctets.bytes(of: Self.line(of: $0)) }
        return lines.reduce(into: []) { bytes, line in
            bytes += line
            bytes.append(0x0a)
        }
    }

    private static func line(of cookie: Cookie) -> String {
        let expires = cookie.expiresAt.map { max(1, Int64(min($0, Cookie.lastExpiry).timeIntervalSince1970.rounded(.up))) } ?? 0
        let fields = [
            cookie.isHostOnly ? cookie.domain : ".\(cookie.domain)", cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path,
            cookie.isSecure ? "TRUE" : "FALSE", String(expires), cookie.name, cookie.value,
        ]
        return (cookie.isHTTPOnly ? "#HttpOnly_" : "") + fields.joined(separator: "\t")
    }
}
