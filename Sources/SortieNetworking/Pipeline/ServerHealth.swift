internal import SortieHTTP

/// What the result of a request says about its server (S1.14–S1.17).
enum ServerHealth {
    case success, failure

    /// Nil where the result says nothing about the server: it was cancelled, refused before sending, or this machine has no route to it (S1.17).
    ///
    /// - Parameter first: The index of the first attempt at this server.
    init?(of request: Request, _ exchange: Exchange, since first: Int, error: NetworkError?, _ rule: ServerSwitchRule) {
        let own = exchange.attempts.dropFirst(first)
        // A followed redirect is a response of the server, whatever its target does. The same host over TLS (HSTS) is the same server.
        let wasRedirected = own.dropLast().contains { $0.status.map(RedirectLocation.statuses.contains) ?? false }
        if wasRedirected, own.last?.url.host != request.url.host {
            self = .success
            return
        }
        guard let error else {
            self = rule.countsServerErrors && (exchange.response?.status ?? 0) >= 500 ? .failure : .success
            return
        }
        switch error.code {
        case .timedOut, .hostNotFound, .connectionRefused, .cannotConnect, .connectionLost, .emptyResponse, .badResponse, .truncatedBody, .tlsFailed,
            .ambiguousDelivery:
            guard Self.canReach(own.last) else { return nil }
            self = .failure
        default:
            guard error.errorClass == .http || error.errorClass == .business else { return nil }
            self = .success
        }
    }

    /// Whether the kernel has a route; without one a failure says nothing about the server.
    private static func canReach(_ attempt: Attempt?) -> Bool {
        guard let address = attempt?.address.flatMap({ IPAddress($0) }) else { return Reachability.system.status == .online }
        return Reachability.hasRoute(to: address)
    }
}

extension NetworkError {
    /// Whether nothing was sent because the server could not be reached, so that another server of the ring may be used (X7).
    var blamesServer: Bool { blamesAddress || code == .hostNotFound }
}
