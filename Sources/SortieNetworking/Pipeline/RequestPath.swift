internal import SortieHTTP

extension CallContext {
    /// The path of a request, from the first step to the last.
    ///
    /// 1. ``OfflineRetry`` lets the request wait for the network.
    /// 2. ``RequestRetry`` sends it again after a delay.
    /// 3. ``QueueAdmission`` waits for a place in the request queue.
    /// 4. ``ServerFailover`` sends it to the next server of the ring.
    /// 5. ``RedirectFollower`` follows redirects.
    /// 6. ``Authorization`` adds an access token, and repeats the request once with a new one.
    /// 7. ``PluginRecovery`` adds cookies and runs the plugins, which may repeat the request, for example with a new token.
    /// 8. ``TunnelSelection`` opens the tunnel of the service.
    /// 9. ``ProxySelection`` finds the proxy.
    /// 10. ``AddressFailover`` tries the addresses of the host.
    /// 11. ``Authorization`` signs each attempt with the fields that it has, or adds a token or a ticket for this attempt.
    /// 12. ``AttemptSender`` runs one libcurl transfer.
    ///
    /// A remedy of a later step is therefore tried before one of an earlier step.
    private var wholePath: some RequestStep {
        OfflineRetry(
            context: self,
            next: RequestRetry(
                context: self,
                next: QueueAdmission(
                    context: self,
                    next: ServerFailover(
                        context: self,
                        next: RedirectFollower(
                            context: self,
                            next: Authorization(
                                context: self, stage: .message,
                                next: PluginRecovery(
                                    context: self,
                                    next: TunnelSelection(
                                        context: self,
                                        next: ProxySelection(
                                            context: self,
                                            next: AddressFailover(
                                                context: self,
                                                next: Authorization(context: self, stage: .attempt, next: AttemptSender(self))))))))))))
    }

    /// The path of a request that needs no other step: 3, 5, 7, 10 and 12.
    private var shortPath: some RequestStep {
        QueueAdmission(
            context: self,
            next: RedirectFollower(
                context: self, next: PluginRecovery(context: self, next: AddressFailover(context: self, next: AttemptSender(self)))))
    }

    /// Whether the steps of ``shortPath`` suffice; no step, but a plugin, changes a request so that it needs another one.
    private func isPlain(_ request: Request) -> Bool {
        plugins.isEmpty && service.configuration.tunnel == nil && request.otherServers.isEmpty && request.isPlain
    }

    /// Sends a request that is prepared and encrypted; afterwards `exchange` has the response and the attempts.
    func send(_ request: Request, _ exchange: inout Exchange) async throws(NetworkError) {
        var request = request
        if !request.options.trust.pinFiles.isEmpty { request = try await request.readingPinFiles() }
        if request.options.trust.clientCertificateFile != nil { request = try await core.unlockingClientKey(of: request, for: call) }
        let routed = RoutedRequest(request, queue: core.queue(for: request, isDownload: call.isDownload))
        if isPlain(request) { try await shortPath.send(routed, &exchange) } else { try await wholePath.send(routed, &exchange) }
    }
}

extension Request {
    /// Whether no option requires a step that many requests do not need.
    fileprivate var isPlain: Bool {
        options.proxy == nil && options.proxyScript == nil && options.environmentProxies == nil && options.tunnelOwner == nil
            && options.credential.stage == nil && (options.retry?.limit ?? 0) <= 0 && options.retry?.parksWhenOffline != true
    }
}

/// One step of the path of a request: it sends the request through the step after it, once or several times.
///
/// Every attempt is appended to the exchange by the last step. A failure and a cancellation are thrown through all steps; a step that has a remedy
/// catches the error. Each step is generic over the next one, so the compiler specializes the whole path and needs no existential values. The steps after
/// the queue are not inlined, so that a call that waits for its place has no memory for them.
protocol RequestStep: Sendable {
    /// Sends `routed`; afterwards `exchange` has the response and the attempts.
    ///
    /// - Throws: The error that no step could remedy.
    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError)
}
