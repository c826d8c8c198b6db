internal import SortieBase

extension HTTPURL {
    /// Resolves the value of a `Location` field against this URL (RFC 9110 §10.2.2, RFC 3986 §5.2).
    ///
    /// - Throws: A ``ParseError`` when the result is not a URL to which a request can be sent.
    public func resolving(reference: String) throws(ParseError) -> HTTPURL {
        let text = String(reference.drop { $0.isWhitespace })
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
    public static func joining(base: String?, path: String) throws(ParseError) -> HTTPURL {
        if isAbsolute(path) { return try HTTPURL(parsing: path) }
        if let scheme = schemeWithOtherSlashes(path) {
            throw ParseError(text: path, reason: scheme.reasonForSlashes(before: path.utf8.dropFirst(scheme.rawValue.utf8.count + 1)))
        }
        guard let base else {
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
