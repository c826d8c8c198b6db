internal import SortieHTTP

/// What the end of a request says about its server (S1.14–S1.17), as opposed to what it says about an address, a caller or this machine.
enum ServerVerdict {
    case success, failure

    /// The verdict; nil where nothing is said: cancelled, refused by ourselves, or this machine has no way to the server (S1.17).
    ///
    /// - Parameter first: the first attempt that was made for the request at its server.
    init?(of request: Request, _ exchange: Exchange, since first: Int, error: NetworkError?, _ rule: ServerSwitchRule) {
        let own = exchange.attempts.dropFirst(first)
        // A redirect that was followed is an answer of the server, whatever came of it elsewhere. The same host over TLS (HSTS) is no elsewhere.
        let wasRedirected = own.dropLast().contains { $0.status.map(Redirect.statuses.contains) ?? false }
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

    /// Whether the kernel knows a way: a machine without one has nothing to say about a server.
    private static func canReach(_ attempt: Attempt?) -> Bool {
        guard let address = attempt?.address.flatMap({ IPAddress($0) }) else { return Reachability.system.status == .online }
        return Reachability.hasRoute(to: address)
    }
}

extension NetworkError {
    /// Whether nothing was sent because the server could not be reached, so that another server of the ring may be asked (X7).
    var blamesServer: Bool { blamesAddress || code == .hostNotFound }
}
