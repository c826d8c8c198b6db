internal import SortieHTTP

/// What the result of a request says about its server.
enum ServerHealth {
    case success, failure

    /// Nil where the result says nothing about the server: it was cancelled, refused before sending, or this machine has no route to it.
    ///
    /// - Parameter first: The index of the first attempt at this server.
    init?(of request: Request, _ exchange: Exchange, since first: Int, error: NetworkError?, _ rule: ServerSwitchRule) {
        guard let health = Self.health(of: request, exchange, since: first, error: error, rule) else { return nil }
        self = health
    }

    // A function, because the optimizer of Swift 6.3.1 crashes on this code in a failable initializer.
    private static func health(
        of request: Request, _ exchange: Exchange, since first: Int, error: NetworkError?, _ rule: ServerSwitchRule
    ) -> ServerHealth? {
        if wasRedirected(from: request.url.host, exchange.attempts.dropFirst(first)) { return .success }
        guard let error else { return rule.countsServerErrors && (exchange.response?.status ?? 0) >= 500 ? .failure : .success }
        switch error.code {
        case .timedOut, .hostNotFound, .connectionRefused, .cannotConnect, .connectionLost, .emptyResponse, .badResponse, .truncatedBody, .tlsFailed,
            .ambiguousDelivery:
            return canReach(exchange.attempts.dropFirst(first).last) ? .failure : nil
        default: return error.errorClass == .http || error.errorClass == .business ? .success : nil
        }
    }

    /// Whether a redirect to another host was followed: it is a response of the server, whatever its target does.
    ///
    /// The same host over TLS (HSTS) is the same server.
    private static func wasRedirected(from host: String, _ attempts: ArraySlice<Attempt>) -> Bool {
        guard let last = attempts.last, last.url.host != host else { return false }
        return attempts.dropLast().contains { attempt in attempt.response.map { RedirectLocation.statuses.contains($0.status) } ?? false }
    }

    /// Whether the kernel has a route; without one a failure says nothing about the server.
    private static func canReach(_ attempt: Attempt?) -> Bool {
        guard let address = attempt?.address.flatMap({ IPAddress($0) }) else { return Reachability.system.status == .online }
        return Reachability.hasRoute(to: address)
    }
}

extension NetworkError {
    /// Whether nothing was sent because the server could not be reached, so that another server of the ring may be used.
    var blamesServer: Bool { blamesAddress || code == .hostNotFound }
}
