internal import SortieHTTP

/// Adds a token of Negotiate to each attempt of a request that asks for it, because a server accepts a token only once (RFC 4559).
///
/// It is sent to the origin that the caller configured, never to the target of a redirect to another one. Tokens are made on separate threads: the
/// library waits for a key distribution center, which may not respond, and the engine's thread must not wait.
struct NegotiateAuthorization<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard routed.request.negotiatesNow, routed.isAtConfiguredOrigin else { return try await next.send(routed, &exchange) }
        let host = routed.request.url.hostForLookup
        let token = try await token(for: host)
        var authorized = routed
        authorized.request.headers.append("Authorization", "Negotiate \(token)")
        // It is masked wherever the request or its response is displayed.
        authorized.request.secrets.values.insert(token)
        context.call.decided(.auth, "with a Kerberos ticket for \(NegotiateToken.service(of: host))")
        try await next.send(authorized, &exchange)
    }

    /// Waits for a token; the time limit and the abort of the call end the wait.
    private func token(for host: String) async throws(NetworkError) -> String {
        let call = context.call
        return try await call.wait(until: call.deadline, timeout: .total(call.totalLimit)) { answer in
            NegotiateToken.threads.start {
                // A call that ended while it waited for a thread needs no token.
                if let reason = call.abortReason { return answer(.failure(reason)) }
                do throws(NetworkError) { answer(.success(try NegotiateToken.make(for: host))) } catch { answer(.failure(error)) }
            }
        }
    }
}

extension Request {
    /// Whether a token applies: a field that the user wrote takes precedence, and a sign-in carries no credentials.
    fileprivate var negotiatesNow: Bool { options.negotiates && !options.omitsCredentials && !headers.contains("Authorization") }
}

extension ClientCore {
    /// Reports the token that a dry run does not make, because that asks the key distribution center.
    func foreseeNegotiation(in request: Request, of call: Call) {
        guard request.negotiatesNow else { return }
        call.decided(.auth, "Authorization: Negotiate, with a Kerberos ticket for \(NegotiateToken.service(of: request.url.hostForLookup))")
    }
}
