internal import SortieBase

extension Exchange {
    /// The origins to which the values of the response may be sent without a further permission: those from which they come.
    ///
    /// That is the origin of the response, which is another one than that of the request after a redirect. The servers of a service are one source,
    /// as far as they may receive all secrets of the request, and so is a host that redirects from `http` to `https`.
    package var captureOrigins: Set<String> {
        let servers = [request.url] + request.otherServers
        let source = attempts.last?.url ?? request.url
        guard servers.contains(where: { $0.origin == source.origin || $0.isUpgraded(by: source) }) else { return [source.origin] }
        let permitted = servers.filter { server in request.secrets.restricted.allSatisfy { $0.permits(server.hostForLookup) } }
        return Set(permitted.map(\.origin)).union([source.origin])
    }
}

extension HTTPURL {
    /// Whether another URL is the same host with TLS, both at the usual port.
    fileprivate func isUpgraded(by other: HTTPURL) -> Bool {
        scheme == .http && other.scheme == .https && host == other.host && port == 80 && other.port == 443
    }
}
