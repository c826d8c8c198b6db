internal import SortieNetworking

/// A route of a stub transport: the requests that it matches and its responses.
struct StubRoute: Sendable {
    let method: HTTPMethod?
    private let pattern: String
    /// The scheme, host and port; nil for any.
    private let origin: String?
    private let segments: [Substring]
    /// The query; nil for any.
    private let query: Substring?
    private let replies: [StubTransport.Reply]
    /// The number of requests that it matched.
    private(set) var uses = 0

    init(method: HTTPMethod?, pattern: String, replies: [StubTransport.Reply]) {
        self.method = method
        self.pattern = pattern
        self.replies = replies
        var rest = pattern[...]
        var origin: String?
        if let scheme = rest.firstRange(of: "://") {
            let path = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            origin = rest[..<path].lowercased()
            rest = rest[path...]
        }
        self.origin = origin.map(Self.normalized)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = Self.segments(of: parts.first ?? "")
        query = parts.count > 1 ? parts[1] : nil
    }

    /// The origin without a default port; an invalid one, which matches nothing, is left unchanged.
    private static func normalized(_ origin: String) -> String {
        do { return try HTTPURL(parsing: origin).origin } catch { return origin }
    }

    private static func segments(of path: Substring) -> [Substring] {
        var path = path
        if path.first == "/" { path = path.dropFirst() }
        return path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The route as it is written in messages.
    var text: String { "\(method?.rawValue ?? "any method") \(pattern)" }

    func matches(_ method: HTTPMethod, _ url: HTTPURL) -> Bool {
        guard self.method == nil || self.method == method, origin == nil || origin == url.origin else { return false }
        if let query, query != url.query ?? "" { return false }
        let path = Self.segments(of: url.path[...])
        for (index, segment) in segments.enumerated() {
            if segment == "**" { return true }
            guard path.indices.contains(index), segment == "*" || segment == path[index] else { return false }
        }
        return path.count == segments.count
    }

    /// The response to the next request; the last one is repeated.
    mutating func next() -> StubTransport.Reply? {
        defer { uses += 1 }
        return replies.isEmpty ? nil : replies[min(uses, replies.count - 1)]
    }
}
