internal import Model

extension ClientCore {
    /// The road of a call up to its transfer: nothing is sent or kept, no token is renewed, and of the world only a name is asked for.
    func dryRun(_ request: Request, id: RequestID) async -> DryRun {
        var result = DryRun(request)
        let notes = DryRunNotes()
        let call = Call(id: id, request: request) { if case .event(.decided(let decision)) = $0 { notes.note(decision) } }
        let service = service(of: request)
        var plugins = plugins(of: call, service)
        plugins.context.dryRun = notes
        let cookies = cookies(of: call)
        await withTaskCancellationHandler {
            do throws(NetworkError) {
                var next = request
                try await plugins.willPrepare(&next)
                result.request = next
                result.plainBody = next.body
                try RequestCheck.checkSecrets(next)
                let plain = next
                try await encrypt(&next, with: service.encryption, of: call)
                try RequestCheck.check(next)
                if let lifetime = next.options.cacheLifetime {
                    let identity = try await plugins.identity() + cookies.identity(of: next)
                    foresee(&next, key: CacheKey(plain, identity: identity), lifetime, &result)
                }
                _ = cookies.put(on: &next)
                plugins.context.attempt = 1
                next = try await plugins.prepared(next)
                result.request = next
                try RequestCheck.check(next)
                if !call.addedSecrets.isEmpty { next.secrets.formUnion(call.addedSecrets) }
                try RequestCheck.checkSecrets(next)
                _ = try await unlockingClientKey(of: next, for: nil)
            } catch {
                result.error = error
            }
            result.headers = PlannedHeader(result.request).fields
            guard result.error == nil else { return }
            do throws(NetworkError) {
                result.addresses = try await HopSender(call: call, resolver: resolver, monitor: monitor, spoolFolder: "").candidates(
                    for: result.request
                ).addresses
            } catch {
                result.addressError = error
            }
        } onCancel: {
            call.abort(.cancelledByCaller)
        }
        call.end()
        result.decisions = notes.decisions
        result.signed = notes.signed
        return result
    }

    /// What the cache would do; the validators of an answer that must be confirmed are put on the request.
    private func foresee(_ request: inout Request, key: CacheKey, _ lifetime: Duration, _ result: inout DryRun) {
        let policy = CachePolicy(lifetime: lifetime, methods: request.options.cachedMethods)
        let found = cache.foresee(request, key: key, policy: policy)
        result.cache = found.prospect
        switch found {
        case .fresh: result.isAnsweredFromCache = true
        case .stale(_, _, let validators): request.headers = request.headers.overlaid(with: validators)
        case .miss: break
        }
    }
}
