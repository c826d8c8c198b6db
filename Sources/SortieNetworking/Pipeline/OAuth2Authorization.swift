internal import SortieHTTP

/// Adds the access token of a request with OAuth 2 settings, and sends the request once more with a new token after a 401.
///
/// The token is sent to the origin that the caller configured, never to the target of a redirect to another one.
struct OAuth2Authorization<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard let settings = routed.request.oauth2InUse, routed.isAtConfiguredOrigin else { return try await next.send(routed, &exchange) }
        let session = context.core.oauth2Session(settings, for: routed.request)
        let store = session.store
        let known = store.present?.credential.version
        // The user may take longer than a request.
        let start = context.call.waitStart
        var credential = try await wait(for: settings.grant) { try await store.credential() }
        if settings.grant.isInteractive { context.call.exclude(since: start) }
        let source = credential.version == known ? "of an earlier request" : "that was fetched for this request"
        context.call.decided(.auth, "with the OAuth 2 token \(source)")
        if let problem = session.takeArchiveProblem() { context.call.decided(.auth, "the token is not stored: \(problem)") }
        for isRepeated in [false, true] {
            var authorized = routed
            authorized.request.use(credential)
            try await next.send(authorized, &exchange)
            guard !isRepeated, exchange.response?.status == 401 else { return }
            let rejected = credential.version
            let start = context.call.waitStart
            credential = try await wait(for: settings.grant) { try await store.refresh(after: rejected) }
            if settings.grant.isInteractive { context.call.exclude(since: start) }
            context.call.decided(.auth, "sent again: the OAuth 2 token was rejected and renewed")
        }
    }

    /// Waits for a token; the abort of the call ends the wait, and the token request continues for the other calls.
    ///
    /// The time limit of the call ends the wait for a server, not the wait for a user.
    private func wait(for grant: OAuth2.Grant, _ work: @escaping @Sendable () async throws -> Credential) async throws(NetworkError) -> Credential {
        do { return try await context.call.stage(isLimited: !grant.isInteractive, work) } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }
}

extension Request {
    /// The OAuth 2 settings that apply: a field that the user wrote takes precedence, and a sign-in carries no credentials.
    var oauth2InUse: OAuth2? {
        guard let settings = options.oauth2, !options.omitsCredentials, !headers.contains("Authorization") else { return nil }
        return settings
    }

    /// Adds a token, which is masked wherever the request or its response is displayed.
    mutating func use(_ credential: Credential) {
        headers.append("Authorization", "Bearer \(credential.token)")
        secrets.values.insert(credential.token)
    }
}

extension ClientCore {
    /// The session with the token for these settings.
    func oauth2Session(_ settings: OAuth2, for request: Request) -> OAuth2Session {
        oauth2.session(settings, for: request) { [weak self] request throws(NetworkError) in
            guard let self else { throw .clientShutDown }
            let call = register(RequestIDs.ofTokenRequests.next(), request, isRecorded: false, observer: nil)
            return try await run(call).result.get()
        }
    }

    /// Adds the token to the request of a dry run, which fetches none.
    func foreseeToken(in request: inout Request, of call: Call) {
        guard let settings = request.oauth2InUse else { return }
        if let present = oauth2Session(settings, for: request).store.present {
            if present.isDue { call.decided(.auth, "the OAuth 2 token would be renewed first and inserted into Authorization") }
            request.use(present.credential)
        } else {
            call.decided(.auth, "an OAuth 2 token would be fetched first and inserted into Authorization")
        }
    }
}
