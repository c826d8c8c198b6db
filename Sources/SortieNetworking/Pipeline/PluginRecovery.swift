internal import SortieHTTP

/// Prepares a request with cookies and plugins, and sends it again where a plugin repaired the cause of a response, for example with a new token.
///
/// A plugin may send requests itself, so the call has no place in the queue while it waits for one.
struct PluginRecovery<Next: RequestStep>: RequestStep {
    /// The maximum number of repetitions, so that two plugins that disagree come to an end.
    private static var mostRecoveries: Int { 3 }

    let context: CallContext
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        try checkSecrets(of: routed.request)
        guard !context.plugins.isEmpty else {
            let cookies = context.cookies.cookies(for: routed.request)
            guard !cookies.isEmpty else { return try await next.send(routed, &exchange) }
            var prepared = routed
            prepared.cookies = cookies
            context.cookies.put(cookies, on: &prepared.request)
            try RequestCheck.checkSecrets(prepared.request)
            return try await next.send(prepared, &exchange)
        }
        for recovery in 0...Self.mostRecoveries {
            var plugins = context.plugins
            plugins.context.attempt = exchange.attempts.count + 1
            plugins.context.isAtConfiguredOrigin = routed.isAtConfiguredOrigin
            var prepared = routed
            prepared.cookies = context.cookies.put(on: &prepared.request)
            context.giveUpPlace()
            prepared.request = try await plugins.prepared(prepared.request)
            let added = context.call.addedSecrets
            if !added.isEmpty { prepared.request.secrets.formUnion(added) }
            try RequestCheck.check(prepared.request)
            try RequestCheck.checkSecrets(prepared.request)
            do throws(NetworkError) { try await next.send(prepared, &exchange) } catch {
                context.giveUpPlace()
                await plugins.didFail(error, to: prepared.request)
                throw error
            }
            context.giveUpPlace()
            guard let response = exchange.response,
                case .sendAgain(let reason) = try await plugins.didReceive(response, to: prepared.request)
            else { return }
            let isRepeated = recovery < Self.mostRecoveries
            context.call.decided(.auth, isRepeated ? "sent again: \(reason)" : "not sent again after \(recovery) repetitions: \(reason)")
        }
    }

    /// Refuses a request with a secret that its host must not receive, also where the body was encrypted.
    private func checkSecrets(of request: Request) throws(NetworkError) {
        guard !request.secrets.restricted.isEmpty else { return }
        var plain = request
        if request.body != .none, let plainBody = context.plainBody { plain.body = plainBody }
        try RequestCheck.checkSecrets(plain)
    }
}
