internal import SortieHTTP

/// The pages that may read the responses of `sortie mock`.
///
/// Any page that the user opens can send requests to a local server. Without permission of its origin the browser does not let it read a response, and a
/// name that an attacker resolves to 127.0.0.1 is refused by ``isHere(_:)``.
struct MockOrigins: Sendable {
    /// Whether pages of other origins may read responses at all.
    let permitsOthers: Bool
    /// The permitted origins beside those of this machine.
    let more: Set<String>

    /// Whether a page of this origin may read responses: one of this machine, or one that the user named.
    func permits(_ origin: String) -> Bool {
        guard permitsOthers else { return false }
        if more.contains(origin) { return true }
        do { return Self.isLoopback(try HTTPURL(parsing: origin).hostForLookup) } catch { return false }
    }

    /// Whether the `Host` of a request names this machine; a request without one is permitted.
    static func isHere(_ host: String?) -> Bool {
        guard let host else { return true }
        do { return isLoopback(try HTTPURL(parsing: "http://\(host)").hostForLookup) } catch { return false }
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || IPAddress(name) != nil && name.hasPrefix("127.")
    }
}
