internal import SortieHTTP
internal import Synchronization

/// The hosts that require TLS, for the lifetime of the client (RFC 6797).
///
/// IP addresses are excluded (§8.1.1), and so is `localhost`, whose ports serve unrelated applications.
final class StrictTransport: Sendable {
    private struct Entry {
        /// The expiry, in monotonic nanoseconds.
        var end: UInt64
        var includesSubdomains: Bool
    }

    /// The largest number of hosts; those whose policies end first are removed, with the others of a tenth.
    static let mostHosts = 10_000

    private let hosts = Mutex<[String: Entry]>([:])

    /// The number of hosts with a policy.
    var count: Int { hosts.withLock { $0.count } }

    /// Records the policy of a response.
    ///
    /// Only responses over verified TLS count (§8.1): otherwise an attacker could make a host unreachable.
    func note(_ response: Response, from request: Request, now: UInt64 = MonotonicClock.now) {
        guard request.url.scheme == .https, !request.options.trust.isInsecure, let text = response.headers["Strict-Transport-Security"],
            let host = Self.name(of: request.url), let policy = Self.policy(text)
        else { return }
        hosts.withLock { hosts in
            if hosts.count >= Self.mostHosts, hosts[host] == nil { Self.removeSome(of: &hosts) }
            hosts[host] =
                policy.seconds == 0 ? nil : Entry(end: now &+ policy.seconds &* 1_000_000_000, includesSubdomains: policy.includesSubdomains)
        }
    }

    private static func removeSome(of hosts: inout [String: Entry]) {
        let last = hosts.values.map(\.end).sorted()[hosts.count / 10]
        hosts = hosts.filter { $0.value.end > last }
    }

    /// The `https` URL to request instead of `url`; nil where its host has no policy.
    func upgraded(_ url: HTTPURL, now: UInt64 = MonotonicClock.now) -> HTTPURL? {
        // The check for an empty table comes first, because every request passes here and few hosts set a policy.
        guard url.scheme == .http, hosts.withLock({ !$0.isEmpty }), let host = Self.name(of: url), isKnown(host, now: now) else { return nil }
        // §8.3: port 80 becomes 443, any other port is kept.
        var result = HTTPURL(scheme: .https, host: url.host, port: url.port == 80 ? 443 : url.port, path: url.path, query: url.query)
        result.credentials = url.credentials
        return result
    }

    private func isKnown(_ host: String, now: UInt64) -> Bool {
        hosts.withLock { hosts in
            var rest = Substring(host)
            while true {
                if let entry = hosts[String(rest)], entry.end > now, entry.includesSubdomains || rest.count == host.count { return true }
                guard let dot = rest.firstIndex(of: ".") else { return false }
                rest = rest[rest.index(after: dot)...]
            }
        }
    }

    private static func name(of url: HTTPURL) -> String? {
        let host = url.hostForLookup.lowercased()
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard !name.isEmpty, name != "localhost", !name.hasSuffix(".localhost"), IPAddress(name) == nil else { return nil }
        return name
    }

    /// Parses the field value; nil where it is invalid or repeats a directive (§6.1).
    private static func policy(_ text: String) -> (seconds: UInt64, includesSubdomains: Bool)? {
        var seconds: UInt64?
        var includesSubdomains = false
        var names: Set<String> = []
        for directive in text.split(separator: ";") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard let name = parts.first?.lowercased(), names.insert(name).inserted else { return nil }
            if name == "includesubdomains" { includesSubdomains = true }
            guard name == "max-age" else { continue }
            let digits = parts.count == 2 ? parts[1].filter { $0 != "\"" } : ""
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            // Lifetimes are capped at a hundred years, so that a huge number cannot overflow.
            seconds = min(UInt64(digits) ?? .max, 3_153_600_000)
        }
        return seconds.map { ($0, includesSubdomains) }
    }
}
