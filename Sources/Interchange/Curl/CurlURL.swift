internal import SortieBase
internal import SortieHTTP

/// A URL of a command line in its parts; each may have references to variables, see ``ShellText``.
struct CurlURL {
    /// What follows the host.
    struct Rest {
        var path: String
        var query: String?
    }

    /// `http` or `https`.
    let scheme: String
    /// Whether the command names the scheme.
    let hasScheme: Bool
    /// Host and port.
    let authority: String
    /// The host.
    let host: String
    /// The port.
    let port: UInt16
    /// The credentials in the URL, decoded.
    let credentials: (user: String, password: String)?
    /// Path and query, without the fragment.
    let rest: Rest
    /// Whether the path has segments `.` or `..`, which requests do not have (RFC 3986 §5.2.4).
    let hasDotSegments: Bool
    /// Whether such a segment is percent-encoded, which curl sends as it is.
    let hasEncodedDotSegments: Bool
    /// Why the URL cannot be sent; nil for a usable one.
    private(set) var problem: String?

    /// - Returns: nil for another scheme.
    init?(_ typed: String, defaultScheme: String?) {
        let trimmed = HTTPURL.withUsualSlashes(String(typed.drop { $0 == " " }))[...]
        var scheme = "http"
        var text = trimmed
        if let range = trimmed.firstRange(of: "://"), trimmed[..<range.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }) {
            scheme = trimmed[..<range.lowerBound].lowercased()
            hasScheme = true
            text = trimmed[range.upperBound...]
        } else if let defaultScheme {
            scheme = defaultScheme.lowercased()
            hasScheme = true
        } else if let guessed = ["ftp", "dict", "ldap", "imap", "smtp", "pop3"].first(where: { trimmed.lowercased().hasPrefix($0 + ".") }) {
            scheme = guessed
            hasScheme = true
        } else {
            hasScheme = false
        }
        guard scheme == "http" || scheme == "https" else { return nil }
        self.scheme = scheme
        let authorityEnd = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        var authority = text[..<authorityEnd]
        var login: (String, String)?
        if let at = authority.lastIndex(of: "@") {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { Self.decoded($0) }
            login = (parts[0], parts.count == 2 ? parts[1] : "")
            authority = authority[authority.index(after: at)...]
        }
        credentials = login
        var rest = text[authorityEnd...]
        if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
        let questionMark = rest.firstIndex(of: "?")
        var query = questionMark.map { String(rest[rest.index(after: $0)...]) }
        var path = String(rest[..<(questionMark ?? rest.endIndex)])
        if path.isEmpty { path = "/" }
        let dots = path.split(separator: "/").filter { [".", ".."].contains($0.lowercased().replacing("%2e", with: ".")) }
        (hasDotSegments, hasEncodedDotSegments) = (!dots.isEmpty, dots.contains { $0.contains("%") })
        // To curl, a backslash is no slash.
        path = path.replacing("\\", with: "%5C")
        let typedHost = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...]
        if ShellText.isPlain(String(trimmed)) {
            do throws(HTTPURL.ParseError) {
                let url = try HTTPURL(parsing: "\(scheme)://\(authority)\(path)\(query.map { "?" + $0 } ?? "")")
                (host, port, path, query) = (url.host, url.port, url.path, url.query)
                self.authority = url.authority
            } catch {
                (host, port) = (String(authority), 0)
                self.authority = String(authority)
                problem = error.description
            }
        } else {
            host = String(authority.prefix { $0 != ":" })
            port = typedHost.split(separator: ":").dropFirst().first.flatMap { UInt16($0) } ?? (scheme == "http" ? 80 : 443)
            self.authority = String(authority)
        }
        self.rest = Rest(path: path, query: query)
    }

    /// The text with `%XX` decoded.
    private static func decoded(_ text: Substring) -> String {
        guard ShellText.isPlain(String(text)) else { return String(text) }
        let bytes = PercentEncoding.decodedBytes(text.utf8)
        return ShellText.text(of: bytes.map(ShellText.Piece.byte))
    }
}
