internal import SortieHTTP

/// Sends a request to its server, and to the next servers of its ring while none can be reached.
struct ServerFailover<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

    @inline(never)
    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        let request = routed.request
        guard !request.otherServers.isEmpty else { return try await next.send(routed, &exchange) }
        let call = context.call
        // An earlier try may have ended at another server.
        exchange.request.url = call.request.url
        var first = exchange.attempts.count
        var failure: NetworkError
        do throws(NetworkError) {
            try await next.send(routed, &exchange)
            count(request, exchange, since: first, error: nil)
            return follow(request, exchange)
        } catch {
            count(request, exchange, since: first, error: error)
            failure = error
        }
        for place in request.otherServers {
            // A server that has responded, with a redirect for example, may have processed the request.
            guard failure.blamesServer, call.abortReason == nil, request.mayBeRepeated || !exchange.wasAnswered(since: first) else { break }
            first = exchange.attempts.count
            var target = place
            // What plugins put into the query is the same for all servers.
            target.query = request.url.query
            var other = routed
            other.request.redirect(to: target)
            other.cachedURL = CopyOnWrite(wrappedValue: request.url)
            // The exchange shows the server that was used.
            exchange.request.url = place
            call.decided(.server, "\(failure.message); trying \(place.origin), the next server")
            do throws(NetworkError) {
                try await next.send(other, &exchange)
                return follow(request, exchange)
            } catch { failure = error }
        }
        throw failure
    }

    /// Switches to the server that the response names in the field of the service's rule.
    ///
    /// Only the servers of the ring are obeyed, not the target of a redirect.
    private func follow(_ request: Request, _ exchange: Exchange) {
        guard let name = request.service, request.serverGeneration != nil, let field = context.service.configuration.serverSwitch.field,
            let text = exchange.response?.headers[field], let last = exchange.attempts.last,
            ([request.url] + request.otherServers).contains(where: { $0.hasSameOrigin(as: last.url) })
        else { return }
        guard let number = Int(text), number > 0 else {
            return context.call.decided(.server, "\(field) of the response is not the number of a server")
        }
        let count = request.otherServers.count + 1
        let key = ServerRings.RingKey(service: name, environment: request.environment)
        let (before, after) = context.core.rings.change(key, count: count) { ring in
            let before = ring.index
            ring.use((number - 1) % count)
            return (before, ring.index)
        }
        guard before != after else { return }
        let decision = "\(name) switches from its server \(before + 1) to its server \(after + 1), as \(field) of the response requests"
        context.call.decided(.server, decision)
        context.core.monitor.note(.server, decision)
    }

    /// Counts the result for the server of the request; its ring then may change to the next server.
    ///
    /// - Parameter first: The index of the first attempt of this try.
    private func count(_ request: Request, _ exchange: Exchange, since first: Int, error: NetworkError?) {
        guard let name = request.service, let generation = request.serverGeneration, let next = request.otherServers.first else { return }
        let rule = context.service.configuration.serverSwitch
        guard let health = ServerHealth(of: request, exchange, since: first, error: error, rule) else { return }
        let key = ServerRings.RingKey(service: name, environment: request.environment)
        let failures = context.core.rings.note(
            isFailure: health == .failure, of: generation, in: key, count: request.otherServers.count + 1, rule)
        guard let failures else { return }
        let text = "\(name) switches from \(request.url.origin) to \(next.origin): \(failures) of the last \(rule.after) requests got no response"
        context.call.decided(.server, text)
        context.core.monitor.note(.server, text)
    }
}

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
