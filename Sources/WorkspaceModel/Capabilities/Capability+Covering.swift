internal import SortieHTTP

extension Capability {
    /// Whether permission for this capability includes another one, whose values are resolved.
    ///
    /// A template in the subject or the destination stands for the values that a run or a response has for it.
    package func covers(_ other: Capability) -> Bool {
        guard kind == other.kind else { return false }
        if self == other { return true }
        switch kind {
        case .file: return !Template(subject).isPlain
        case .proxy: return Self.isProxy(subject, other.subject)
        case .nameServer: return Self.covers(subject.authorityPart, other.subject)
        case .insecure, .ticket: return Self.covers(subject, other.subject)
        case .secret, .address, .authority, .token, .captured: return subject == other.subject && Self.covers(destination, other.destination)
        case .command, .environment, .clientKey, .download, .cacheFolder, .storedSecret: return false
        }
    }

    /// Whether an origin that may contain templates stands for another one.
    private static func covers(_ pattern: String, _ origin: String) -> Bool {
        if pattern == origin { return true }
        guard !Template(pattern).isPlain else { return url(pattern)?.origin == origin }
        let pattern = pattern.withoutLogin.lowercased()
        // A port may be that of the scheme, which an origin does not contain.
        return matches(pattern, origin) || (url(origin).map { matches(pattern, "\($0.scheme.rawValue)://\($0.host):\($0.port)") } ?? false)
    }

    private static func url(_ text: String) -> HTTPURL? {
        do { return try HTTPURL(parsing: text) } catch { return nil }
    }

    /// Whether a text is the pattern with any text in place of each template.
    private static func matches(_ pattern: String, _ text: String) -> Bool {
        var rest = text[...]
        let segments = Template(pattern).segments
        // An unclosed template stands for nothing.
        guard !segments.contains(where: \.isUnclosed) else { return false }
        for (index, segment) in segments.enumerated() {
            guard case .text(let literal) = segment else { continue }
            if index == 0 {
                guard rest.hasPrefix(literal) else { return false }
                rest = rest.dropFirst(literal.count)
            } else if index == segments.count - 1 {
                return rest.hasSuffix(literal)
            } else {
                guard let range = rest.firstRange(of: literal) else { return false }
                rest = rest[range.upperBound...]
            }
        }
        return true
    }

    /// Whether the URL of a proxy is that of another one, or a template for it; its login does not count.
    private static func isProxy(_ subject: String, _ other: String) -> Bool {
        if Template(subject).isPlain {
            do throws(ProxyProblem) { return try Proxy(subject).description == Proxy(other).description } catch { return false }
        }
        let subject = subject.withoutLogin.lowercased()
        guard !Template(subject).isPlain else { return isProxy(subject, other) }
        return matches(subject.contains("://") || subject.hasPrefix("{{") ? subject : "http://" + subject, other)
    }
}

extension Capability {
    /// The capability of a request to an origin at fixed addresses.
    init(addresses: [IPAddress], of origin: String) {
        self.init(.address, addresses.map(\.description).joined(separator: ", "), to: origin)
    }
}

extension String {
    /// Scheme and authority of the text of a URL.
    var authorityPart: String {
        guard let scheme = firstRange(of: "://"), let end = endOfAuthority(from: scheme.upperBound) else { return self }
        return String(self[..<end])
    }

    /// The end of the authority that begins at an index: the first `/`, `?` or `#` that is not part of a template; nil where the text ends before.
    func endOfAuthority(from start: Index) -> Index? {
        // In bytes, as URLs are parsed.
        var index = start
        while index < endIndex {
            if utf8[index...].starts(with: "{{".utf8), let close = self[index...].utf8.firstRange(of: "}}".utf8) {
                index = close.upperBound
                continue
            }
            if "/?#".utf8.contains(utf8[index]) { return index }
            utf8.formIndex(after: &index)
        }
        return nil
    }

    /// The text of a URL without user and password.
    fileprivate var withoutLogin: String {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        guard let end = self[start...].lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: end)...])
    }
}
