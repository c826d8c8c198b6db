internal import Foundation
internal import SortieBase

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

        let question = rest.firstIndex(of: UInt8(ascii: "?"))
        let rawPath = rest[..<(question ?? rest.endIndex)].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        path = HTTPURL.removingDotSegments(PercentEncoding.encode(bytes: rawPath, allowed: .path))
        query = question.map { PercentEncoding.encode(bytes: rest[($0 + 1)...], allowed: .query) }
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
