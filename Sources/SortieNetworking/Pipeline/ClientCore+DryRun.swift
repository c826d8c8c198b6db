internal import SortieHTTP

extension ClientCore {
    /// Runs all stages of a call before its transfer: nothing is sent or stored, no token is renewed, and no name is looked up.
    func dryRun(_ request: Request, id: RequestID, plugins own: [any Plugin]) async -> DryRun {
        let request = resolved(request)
        var result = DryRun(request)
        let notes = DryRunNotes()
        let call = Call(id: id, request: request) { if case .event(.decided(let decision)) = $0 { notes.note(decision) } }
        let service = service(of: request)
        var plugins = plugins(of: call, service, own)
        plugins.context.dryRun = notes
        let cookies = cookies(of: call)
        var tunnel: (any ServiceTunnel)?
        await withTaskCancellationHandler {
            do throws(NetworkError) {
                var next = request
                try await plugins.willPrepare(&next)
                configuration.standardFields.add(to: &next)
                result.request = next
                result.plainBody = next.body
                try RequestCheck.checkSecrets(next)
                try RequestCheck.checkParameters(next)
                let plain = next
                try await encrypt(&next, with: service.configuration.encryption, of: call)
                foreseeMessages(in: &next, of: call)
                try RequestCheck.check(next)
                if let rules = CacheRules(next.options) {
                    let identity = try await plugins.identity() + cookies.identity(of: next)
                    try await foresee(&next, key: CacheKey(plain, identity: identity), rules, &result)
                }
                _ = cookies.put(on: &next)
                try await foreseeCredential(in: &next, at: .message, of: call)
                plugins.context.attempt = 1
                next = try await plugins.prepared(next)
                result.request = next
                try RequestCheck.check(next)
                if !call.addedSecrets.isEmpty { next.secrets.formUnion(call.addedSecrets) }
                try RequestCheck.checkSecrets(next)
                _ = try await unlockingClientKey(of: next.readingPinFiles(), for: nil)
                tunnel = self.tunnel(for: next, of: service, isAtConfiguredOrigin: true, call: call)
                if tunnel == nil, next.options.unixSocket == nil {
                    if let script = next.options.decidingProxyScript {
                        let routes = try await routes(of: script, for: next, call: call, isForeseen: true)
                        if let route = routes.first { try next.take(route, of: script, call) }
                    } else {
                        _ = try next.chooseProxy(of: call)
                    }
                }
                try await foreseeCredential(in: &next, at: .attempt, of: call)
                result.request = next
            } catch {
                result.error = error
            }
            result.headers = PlannedHeader(result.request).fields
            guard result.error == nil else { return }
            if let tunnel {
                call.decided(.address, "through the tunnel \(tunnel.name), which a dry run does not open")
            } else {
                result.addresses = foreseenAddresses(of: result.request, for: call)
            }
        } onCancel: {
            call.abort(.cancelledByCaller)
        }
        call.end()
        result.decisions = notes.decisions
        result.signed = notes.signed
        return result
    }

    /// The known addresses that a call would try; a lookup would send the name to a server (`Security.md` 1).
    private func foreseenAddresses(of request: Request, for call: Call) -> [IPAddress] {
        let options = request.options
        if let proxy = options.proxy, proxy.isFor(request.url), proxy.resolvesNames { return [] }
        guard options.unixSocket == nil else { return [] }
        if !options.addresses.isEmpty {
            call.decided(.address, "\(options.addresses.map(\.description).joined(separator: ", ")), from the request")
            return options.addresses
        }
        guard let known = resolver.foreseen(request.url.hostForLookup, server: options.resolution.server) else {
            let server = options.resolution.server.map { " at \($0.origin)" } ?? ""
            call.decided(.address, "not resolved, because a dry run sends nothing; sending resolves the host\(server)")
            return options.resolution.further
        }
        call.decided(.address, "\(known.addresses.map(\.description).joined(separator: ", ")): \(known.source)")
        return known.addresses.joined(with: options.resolution.further)
    }

    /// Determines what the cache would do, and adds the validators of a stale response to the request.
    private func foresee(
        _ request: inout Request, key: CacheKey, _ rules: CacheRules, _ result: inout DryRun
    ) async throws(NetworkError) {
        if rules.isOnDisk { _ = await BlockingExecutor.shared.run { [cache] in cache.readDisk(key, tag: rules.tag) } }
        let found = cache.lookup(request, key: key, rules: rules, foresees: true)
        result.cache = found.prospect
        switch found {
        case .fresh: result.isAnsweredFromCache = true
        case .stale(_, _, let validators): request.headers = request.headers.overlaid(with: validators)
        case .miss(let reason): if rules.policy == .cacheOnly { throw .notCached(reason) }
        }
    }
}
