internal import SortieHTTP

/// Opens the tunnel of the request's service.
///
/// A proxy or a Unix socket of the request takes precedence. After a redirect to another origin a tunnel that leads to one server is not used, because
/// the request would reach the wrong one.
struct TunnelSelection<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        let call = context.call
        guard call.usesEngine, let tunnel = context.tunnel(for: routed.request, isAtConfiguredOrigin: routed.isAtConfiguredOrigin) else {
            return try await next.send(routed, &exchange)
        }
        var mayReopen = true
        while true {
            let route = try await open(tunnel)
            call.decided(
                .address, "through the tunnel \(tunnel.name)\(tunnel.leadsToOneServer ? "" : ", which resolves \(routed.request.url.host)")")
            var entering = routed
            entering.tunnel = route
            var failure: NetworkError
            do throws(NetworkError) {
                try await next.send(entering, &exchange)
                return note(tunnel.takeLines(), of: tunnel)
            } catch { failure = error }
            guard failure.errorClass == .transport, call.abortReason == nil else { throw failure }
            // The program of the tunnel writes why a connection failed.
            let lines = await tunnel.newLines()
            note(lines, of: tunnel)
            if let line = lines.last { failure.hint = "the tunnel \(tunnel.name) reported: \(line)" }
            // Nothing was sent; the program had ended since the last request.
            guard mayReopen, failure.code == .cannotConnect, !tunnel.isRunning else { throw failure }
            mayReopen = false
            call.decided(.address, "the tunnel \(tunnel.name) had ended and is opened again")
        }
    }

    /// Waits until the tunnel accepts connections, at most until the end of the call's time.
    private func open(_ tunnel: any ServiceTunnel) async throws(NetworkError) -> TunnelRoute {
        let call = context.call
        do throws(NetworkError) {
            let opened: (route: TunnelRoute, lines: [String]) = try await call.wait(
                until: call.deadline, timeout: .opening(tunnel.name, within: call.totalLimit)
            ) { completion in
                Task {
                    do throws(NetworkError) { completion(.success(try await tunnel.open())) } catch { completion(.failure(error)) }
                }
            }
            note(opened.lines, of: tunnel)
            return opened.route
        } catch {
            // The errors of the tunnel have its lines already.
            guard error.timeLimit == .total else { throw error }
            var failure = error
            let lines = tunnel.takeLines()
            note(lines, of: tunnel)
            if let line = lines.last { failure.message += "; it reported: \(line)" }
            throw failure
        }
    }

    private func note(_ lines: [String], of tunnel: any ServiceTunnel) {
        for line in lines { context.call.decided(.address, "\(tunnel.name): \(line)") }
    }
}

extension NetworkError {
    /// The error for a tunnel that does not accept connections before the total time limit.
    fileprivate static func opening(_ name: String, within limit: Duration?) -> NetworkError {
        NetworkError(
            .timedOut, "the tunnel \(name) did not open within \(limit?.spoken ?? "the time limit")", remedy: .totalTimeout, timeLimit: .total)
    }
}

extension CallContext {
    /// The tunnel that a request uses; nil without one.
    func tunnel(for request: Request, isAtConfiguredOrigin: Bool) -> (any ServiceTunnel)? {
        core.tunnel(for: request, of: service, isAtConfiguredOrigin: isAtConfiguredOrigin, call: call)
    }
}

extension ClientCore {
    /// The tunnel that a request uses; nil without one, which the call reports where the service has one.
    func tunnel(for request: Request, of service: ServiceDeclaration, isAtConfiguredOrigin: Bool, call: Call) -> (any ServiceTunnel)? {
        let owner = request.options.tunnelOwner
        guard let tunnel = service.configuration.tunnel ?? owner.flatMap({ declaration(of: $0.service)?.configuration.tunnel }) else { return nil }
        guard request.options.proxy == nil, request.options.unixSocket == nil else {
            let own = request.options.proxy == nil ? "Unix socket" : "proxy"
            call.decided(.address, "without the tunnel \(tunnel.name): the request has its own \(own)")
            return nil
        }
        guard !tunnel.leadsToOneServer || isAtConfiguredOrigin && owner?.isAtOrigin ?? true else {
            call.decided(.address, "without the tunnel \(tunnel.name): it does not lead to \(request.url.origin)")
            return nil
        }
        return tunnel
    }
}
