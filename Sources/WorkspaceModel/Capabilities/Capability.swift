package import SortieBase
internal import SortieHTTP

/// One thing that a workspace requests to do on this machine and that requires permission (`Security.md` 2).
///
/// Capabilities are computed from the parsed files alone (``CapabilityScan``). Nothing is executed or read.
package struct Capability: Hashable, Sendable {
    /// The kind of access, in the order of a list, which begins with the most dangerous.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Runs a shell command; the subject is its text.
        case command
        /// Reads an environment variable; the subject is its name.
        case environment
        /// Reads a file outside the workspace; the subject is its real path, or the path's template.
        case file
        /// Reads a client key; the subject is its path.
        case clientKey
        /// Writes a download outside the workspace and the download directory; the subject is the path.
        case download
        /// Stores cached responses outside the workspace and the cache directory; the subject is the path.
        case cacheFolder
        /// Does not verify a server's certificate; the subject is the server's origin.
        case insecure
        /// Sends requests through a proxy; the subject is its URL.
        case proxy
        /// Sends requests through the proxies that a script chooses; the subject is its URL, or its path with the digest of a file of the workspace.
        case proxyScript
        /// Resolves host names at a server that the workspace chooses; the subject is its URL.
        case nameServer
        /// Fetches the description of an API; the subject is its URL.
        case description
        /// Connects to fixed addresses instead of those of the name; the subject is the addresses, the destination the origin.
        case address
        /// Accepts certificates of a certificate authority that the workspace chooses; the subject is its file, the destination the origin.
        case authority
        /// Sends a secret; the subject is the secret's name, the destination the origin that receives it.
        case secret
        /// Sends an access token; the subject is the origin that issues it for a secret, the destination the origin that receives it.
        case token
        /// Sends values that an endpoint captured; the subject is its target, the destination an origin that did not send them.
        case captured
        /// Sends a Kerberos ticket of the user; the subject is the origin that receives it.
        case ticket
        /// Reads a secret that the user stored; the subject is its name in the store.
        case storedSecret
    }

    /// The kind of access.
    package let kind: Kind
    /// The resource that is accessed, such as a command, a path or the name of a secret.
    package let subject: String
    /// The origin that receives a secret, or to which an address or an authority applies; empty for the other kinds.
    package let destination: String

    /// Creates a capability.
    package init(_ kind: Kind, _ subject: String, to destination: String = "") {
        (self.kind, self.subject, self.destination) = (kind, subject, destination)
    }

    /// One line of JSON that identifies the capability, for the stored list and its digest.
    package var line: String {
        JSONValue.array([.string(kind.rawValue), .string(subject)] + (destination.isEmpty ? [] : [.string(destination)])).text
    }

    /// Creates a capability from a line; nil for a line with a kind that this version does not know.
    package init?(line: String) throws(BodyProblem) {
        guard case .array(let items) = try JSONValue(parsing: line), (2...3).contains(items.count) else { return nil }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            texts.append(text)
        }
        guard let kind = Kind(rawValue: texts[0]) else { return nil }
        self.init(kind, texts[1], to: texts.count == 3 ? texts[2] : "")
    }
}

extension Capability: Comparable {
    /// Orders capabilities by kind, then by text.
    package static func < (left: Capability, right: Capability) -> Bool {
        (left.kind.rank, left.subject, left.destination) < (right.kind.rank, right.subject, right.destination)
    }
}

extension Capability.Kind {
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

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
        case .command, .environment, .clientKey, .download, .cacheFolder, .description, .proxyScript, .storedSecret: return false
        }
    }

    /// Whether an origin that may contain templates stands for another one.
    private static func covers(_ pattern: String, _ origin: String) -> Bool {
        if pattern == origin { return true }
        guard !Template(pattern).isPlain else { return HTTPURL(ifValid: pattern)?.origin == origin }
        let pattern = pattern.withoutLogin.lowercased()
        // A port may be that of the scheme, which an origin does not contain.
        let withPort = HTTPURL(ifValid: origin).map { "\($0.scheme.rawValue)://\($0.host):\($0.port)" }
        return matches(pattern, origin) || withPort.map { matches(pattern, $0) } == true
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
