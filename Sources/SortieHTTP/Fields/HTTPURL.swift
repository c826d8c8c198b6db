internal import Foundation
internal import SortieBase

public import struct FoundationEssentials.URL

/// An absolute http or https URL, in the form in which it is resolved, signed, matched with cookies and sent.
///
/// All of these use this one parser (`EngineFacts.md` 4.1), so the displayed URL is the sent one. It follows the WHATWG URL standard in what it
/// accepts, rejects what that standard repairs in surprising ways, and leaves every legal byte of path and query unchanged: escapes are not
/// rewritten, because that breaks presigned URLs.
public struct HTTPURL: Hashable, Sendable {
    /// The supported schemes.
    public enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port of a URL that contains none (RFC 9110 §4.2).
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }

        /// The reason to refuse a URL that does not have `//` after its scheme, with the right spelling.
        func reasonForSlashes(before rest: some Collection<UInt8>) -> String {
            let place = String(decoding: rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }, as: UTF8.self)
            return "“//” must follow “\(rawValue):”; write \(rawValue)://\(place)"
        }
    }

    /// The scheme.
    public var scheme: Scheme
    /// The host in lowercase: a name, an IPv4 address, or an IPv6 address in brackets.
    public var host: String
    /// The port, explicit or implied.
    public var port: UInt16
    /// The path, percent-encoded, beginning with `/`.
    public var path: String
    /// The query without its `?`, percent-encoded; nil without a `?`.
    public var query: String?
    /// User name and password before the host, decoded; never part of ``description``.
    public var credentials: Credentials?

    /// A user name and a password.
    public struct Credentials: Hashable, Sendable {
        /// The user name.
        public var user: String
        /// The password.
        public var password: String

        /// Creates credentials.
        public init(user: String, password: String) {
            (self.user, self.password) = (user, password)
        }
    }

    /// Creates a URL from encoded parts.
    public init(scheme: Scheme, host: String, port: UInt16? = nil, path: String = "/", query: String? = nil) {
        (self.scheme, self.host) = (scheme, host)
        self.port = port ?? scheme.defaultPort
        self.path = path.hasPrefix("/") ? path : "/" + path
        self.query = query
    }

    /// Scheme, host and port; URLs of the same origin share credentials and connections (RFC 6454 §4).
    public var origin: String { "\(scheme.rawValue)://\(authority)" }

    /// Whether both URLs have the same ``origin``.
    public func hasSameOrigin(as other: HTTPURL) -> Bool { host == other.host && port == other.port && scheme == other.scheme }

    /// The host, with the port where it is not the scheme's own: the value of `Host`.
    public var authority: String { port == scheme.defaultPort ? host : "\(host):\(port)" }

    /// The URL with https and the port of a table in place of http and its port; nil for an https URL, and for a port that the table does not have.
    package func movedToTLS(by ports: [UInt16: UInt16]) -> HTTPURL? {
        guard scheme == .http, let port = ports[port] else { return nil }
        var result = self
        (result.scheme, result.port) = (.https, port)
        return result
    }

    /// Path and query, as in the request line.
    package var requestTarget: String {
        guard let query else { return path }
        return "\(path)?\(query)"
    }

    /// Whether the host names this machine.
    package var isLoopback: Bool {
        let name = hostForLookup.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || IPAddress(name) != nil && name.hasPrefix("127.")
    }

    /// The host without the brackets of an IPv6 address.
    package var hostForLookup: String {
        host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The URL with `name=value` pairs, percent-encoded, after the existing query.
    public func appending(query items: [(name: String, value: String)]) -> HTTPURL {
        guard !items.isEmpty else { return self }
        let added = items.map {
            "\(PercentEncoding.encode($0.name, allowed: .unreserved))=\(PercentEncoding.encode($0.value, allowed: .unreserved))"
        }
        var result = self
        let before = query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 : $0 + "&" } ?? ""
        result.query = before + added.joined(separator: "&")
        return result
    }

    /// Whether `text` begins with a scheme and `//`, unlike `httpfoo` and `/go?u=http://x`.
    package static func isAbsolute(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return lower.hasPrefix("http://") || lower.hasPrefix("https://")
    }

    /// The text with `//` after its scheme and slashes instead of backslashes before its query, as browsers and tools read such URLs.
    package static func withUsualSlashes(_ text: String) -> String {
        guard let scheme = schemeWithOtherSlashes(text) else { return text }
        let rest = text.dropFirst(scheme.rawValue.count + 1).drop { "/\\".contains($0) }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return "\(scheme.rawValue)://" + path.replacing("\\", with: "/") + rest[path.endIndex...]
    }

    /// The scheme of a text with other slashes after it than `//`, such as `http:/host` and `http:\\host`, which is no path either.
    package static func schemeWithOtherSlashes(_ text: String) -> Scheme? {
        let lower = text.prefix(8).lowercased()
        return [Scheme.http, .https].first { scheme in
            let start = scheme.rawValue + ":"
            return (lower.hasPrefix(start + "/") || lower.hasPrefix(start + "\\")) && !lower.hasPrefix(start + "//")
        }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL as text, without credentials.
    public var description: String {
        var text = scheme == .http ? "http://" : "https://"
        text.reserveCapacity(host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 16)
        text += host
        if port != scheme.defaultPort {
            text += ":"
            text += String(port)
        }
        text += path
        if let query {
            text += "?"
            text += query
        }
        return text
    }
}

extension HTTPURL {
    /// Creates a URL from one of Foundation.
    ///
    /// - Parameter url: An absolute URL, or one with a base; its fragment is omitted, because it is not sent.
    /// - Throws: A ``ParseError`` for a URL to which a request cannot be sent.
    public init(_ url: URL) throws(ParseError) {
        try self.init(parsing: url.absoluteString)
    }
}

extension URL {
    /// Creates a URL of Foundation, without the credentials; nil where Foundation does not accept a host that HTTP permits.
    ///
    /// - Parameter url: The URL of a request or a redirect.
    public init?(_ url: HTTPURL) {
        self.init(string: url.description)
    }
}

extension HTTPURL {
    /// The error for a text that is not a URL to which a request can be sent.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The parsed text.
        public let text: String
        /// The description of the problem and the correct form.
        public let reason: String

        /// The message for the user.
        public var description: String { "“\(text)” is not a URL that can be sent: \(reason)" }
    }

    /// Parses an absolute URL.
    ///
    /// Spaces and control characters around the text are removed, the fragment is removed, `\` counts as `/`, bytes that are not allowed in a path or
    /// query are percent-encoded, and dot segments are removed (WHATWG URL §4.4).
    ///
    /// - Throws: A ``ParseError`` for another scheme, an invalid host, or an invalid port.
    public init(parsing text: String) throws(ParseError) {
        func refuse(_ reason: String) -> ParseError { ParseError(text: text, reason: reason) }

        var bytes = Array(text.utf8)
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        bytes = Array(bytes.drop { $0 <= 0x20 })
        bytes.removeAll { $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
        guard !bytes.isEmpty else { throw refuse("it is empty") }

        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Scheme(rawValue: String(decoding: bytes[..<colon].map(ASCII.lowercased), as: UTF8.self))
        else { throw refuse("it must begin with http:// or https://") }
        var rest = bytes[(colon + 1)...]
        guard rest.count >= 2, rest.prefix(2).allSatisfy({ $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) else {
            throw refuse(scheme.reasonForSlashes(before: rest))
        }
        rest = rest.dropFirst(2)
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }

        let authorityEnd = rest.firstIndex { "/\\?".utf8.contains($0) } ?? rest.endIndex
        var authority = rest[..<authorityEnd]
        rest = rest[authorityEnd...]
        var credentials: Credentials?
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            credentials = Credentials(userinfo: authority[..<at])
            authority = authority[(at + 1)...]
        }

        let port: UInt16
        (authority, port) = try HTTPURL.splitPort(authority, scheme: scheme, text: text)
        self.init(scheme: scheme, host: try HTTPURL.host(authority, text: text), port: port)
        self.credentials = credentials

        let questionMark = rest.firstIndex(of: UInt8(ascii: "?"))
        let rawPath = rest[..<(questionMark ?? rest.endIndex)].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        path = HTTPURL.removingDotSegments(PercentEncoding.encode(bytes: rawPath, allowed: .path))
        query = questionMark.map { PercentEncoding.encode(bytes: rest[($0 + 1)...], allowed: .query) }
    }

    /// Parses a URL; nil for a text that is none.
    package init?(ifValid text: String) {
        do throws(ParseError) { try self.init(parsing: text) } catch { return nil }
    }

    private static func splitPort(
        _ authority: ArraySlice<UInt8>, scheme: Scheme, text: String
    ) throws(ParseError) -> (ArraySlice<UInt8>, UInt16) {
        let isOpenBracket = authority.first == UInt8(ascii: "[") && !authority.contains(UInt8(ascii: "]"))
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), !isOpenBracket, !authority[colon...].contains(UInt8(ascii: "]")) else {
            return (authority, scheme.defaultPort)
        }
        let digits = String(decoding: authority[(colon + 1)...], as: UTF8.self)
        if digits.isEmpty { return (authority[..<colon], scheme.defaultPort) }
        guard digits.utf8.allSatisfy(ASCII.isDigit), let port = UInt16(digits), port > 0 else {
            throw ParseError(text: text, reason: "“\(digits)” is not a port from 1 to 65535")
        }
        return (authority[..<colon], port)
    }

    private static func host(_ raw: ArraySlice<UInt8>, text: String) throws(ParseError) -> String {
        func refuse(_ reason: String) -> ParseError { ParseError(text: text, reason: reason) }

        guard !raw.isEmpty else { throw refuse("it has no host") }
        if raw.first == UInt8(ascii: "[") {
            let inner = String(decoding: raw.dropFirst().dropLast(), as: UTF8.self)
            if raw.last == UInt8(ascii: "]"), let zone = inner.firstIndex(of: "%"), IPAddress(String(inner[..<zone])) != nil {
                let name = inner[zone...].replacing("%25", with: "%").dropFirst()
                let choice = name.isEmpty ? "its network interface" : "the network interface \(name)"
                throw refuse("the address has a zone (\(inner[zone...])); write it without, and choose \(choice) for the request")
            }
            guard raw.last == UInt8(ascii: "]"), let address = IPAddress(inner), address.isV6 else {
                throw refuse("“\(String(decoding: raw, as: UTF8.self))” is not an IPv6 address in brackets")
            }
            return "[\(address)]"
        }
        var name = String(decoding: PercentEncoding.decodedBytes(raw), as: UTF8.self).lowercased()
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            // Compatibility characters may map to delimiters: “％41” to an escape, “℀” to “a/c” (UTS 46 §4.1).
            let mapped = name.precomposedStringWithCompatibilityMapping
            guard !mapped.utf8.contains(where: { $0 < 0x80 && !isHostCharacter($0) }) else {
                throw refuse("“\(name)” has a character that is not allowed in a host name, in encoded form")
            }
            guard let ascii = URL(string: "http://\(name)/")?.host(percentEncoded: false)?.lowercased(),
                ascii.utf8.allSatisfy({ $0 < 0x80 }),
                !ascii.contains("%")
            else { throw refuse("“\(name)” is not a domain name") }
            name = ascii
        }
        guard name.utf8.allSatisfy(isHostCharacter),
            name != "."
        else {
            throw refuse("“\(name)” has a character that is not allowed in a host name")
        }
        guard name.utf8.count <= 254 else { throw refuse("the host name is longer than 253 characters") }
        try refuseLooseAddress(name, text: text)
        return name
    }

    /// Whether an ASCII character is allowed in a host name (RFC 3986 §3.2.2).
    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~!$&'()*+,;=".utf8.contains(byte)
    }

    /// Rejects hosts such as `0x7f.1` or `127.1`, which some programs read as an address and others as a name.
    private static func refuseLooseAddress(_ name: String, text: String) throws(ParseError) {
        let labels = name.split(separator: ".", omittingEmptySubsequences: true)
        guard let last = labels.last else { throw ParseError(text: text, reason: "it has no host") }
        let looksNumeric = last.utf8.allSatisfy(ASCII.isDigit) || last.hasPrefix("0x")
        guard looksNumeric, IPAddress(name) == nil else { return }
        throw ParseError(text: text, reason: "“\(name)” is neither a name nor an IPv4 address of four decimal numbers")
    }

    /// Removes dot segments of an encoded path (RFC 3986 §5.2.4); `%2e` counts as a dot, as in browsers.
    static func removingDotSegments(_ path: String) -> String {
        guard path.contains(".") || path.lowercased().contains("%2e") else { return path.isEmpty ? "/" : path }
        var result: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased().replacing("%2e", with: ".") {
            case ".":
                if isLast { result.append("") }
            case "..":
                _ = result.popLast()
                if isLast { result.append("") }
            default:
                result.append(segment)
            }
        }
        return "/" + result.joined(separator: "/")
    }
}

extension HTTPURL.Credentials {
    fileprivate init?(userinfo: ArraySlice<UInt8>) {
        guard !userinfo.isEmpty else { return nil }
        let colon = userinfo.firstIndex(of: UInt8(ascii: ":"))
        user = String(decoding: PercentEncoding.decodedBytes(userinfo[..<(colon ?? userinfo.endIndex)]), as: UTF8.self)
        password = colon.map { String(decoding: PercentEncoding.decodedBytes(userinfo[($0 + 1)...]), as: UTF8.self) } ?? ""
    }
}

extension HTTPURL {
    /// Resolves the value of a `Location` field against this URL (RFC 9110 §10.2.2, RFC 3986 §5.2).
    ///
    /// A backslash before the query is a slash, as in browsers (WHATWG URL). A reference with the scheme of this URL and without `//` is relative, as
    /// RFC 3986 §5.2.2 permits and browsers read it: `http:/path` and `http:path`. curl 7.88.1 takes the first segment of `http:/path` for the host,
    /// which another reader of the reference would not, and refuses `http:path`.
    ///
    /// - Throws: A ``ParseError`` when the result is not a URL to which a request can be sent.
    public func resolving(reference: String) throws(ParseError) -> HTTPURL {
        let reference = reference.drop { $0.isWhitespace }
        let place = reference.prefix { $0 != "?" && $0 != "#" }
        var text = String(place.replacing("\\", with: "/")) + reference[place.endIndex...]
        let ownScheme = scheme.rawValue + ":"
        if text.prefix(ownScheme.count).lowercased() == ownScheme, !text.dropFirst(ownScheme.count).hasPrefix("//") {
            text.removeFirst(ownScheme.count)
            // What follows is a path, also where it looks like a URL.
            if HTTPURL.hasScheme(text) { text = "./" + text }
        }
        if HTTPURL.hasScheme(text) { return try HTTPURL(parsing: text) }
        if text.hasPrefix("//") { return try HTTPURL(parsing: "\(scheme.rawValue):\(text)") }
        if text.hasPrefix("/") { return try HTTPURL(parsing: origin + text) }
        if text.isEmpty || text.hasPrefix("#") { return self }
        if text.hasPrefix("?") { return try HTTPURL(parsing: origin + path + text) }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return try HTTPURL(parsing: origin + folder + text)
    }

    /// Joins the base URL of a server and a path with exactly one `/`, and keeps the path of the base.
    ///
    /// - Parameters:
    ///   - base: The base URL; nil requires an absolute URL.
    ///   - path: A path, or an absolute URL, which is used without the base.
    /// - Throws: A ``ParseError`` for a relative path without a base, and when the result is not a valid URL.
    package static func joining(base: String?, path: String) throws(ParseError) -> HTTPURL {
        if isAbsolute(path) { return try HTTPURL(parsing: path) }
        if let scheme = schemeWithOtherSlashes(path) {
            throw ParseError(text: path, reason: scheme.reasonForSlashes(before: path.utf8.dropFirst(scheme.rawValue.utf8.count + 1)))
        }
        guard let base else {
            if hasScheme(path), path.contains("://") { throw ParseError(text: path, reason: "it must begin with http:// or https://") }
            throw ParseError(
                text: path, reason: "it is relative and no server is set; write http://… or give the service a server")
        }
        if path.isEmpty { return try HTTPURL(parsing: base) }
        var server = Substring(base)
        while server.hasSuffix("/") { server.removeLast() }
        let separator = path.hasPrefix("/") || path.hasPrefix("?") ? "" : "/"
        return try HTTPURL(parsing: server + separator + path)
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        return text[..<colon].utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
    }
}
