internal import SortieHTTP

/// Adds a JSON Web Token to each attempt of a request with such settings, so that a token does not expire before it is sent.
///
/// It is sent to the origin that the caller configured, never to the target of a redirect to another one.
struct JWTAuthorization<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard let credential = routed.request.jwtInUse, routed.isAtConfiguredOrigin else { return try await next.send(routed, &exchange) }
        var authorized = routed
        try authorized.request.use(credential, at: SystemClock.seconds)
        context.call.decided(.auth, "with a JSON Web Token, signed with \(credential.algorithm.rawValue)")
        try await next.send(authorized, &exchange)
    }
}

extension Request {
    /// The settings that apply: a field that the user wrote takes precedence, and a sign-in carries no credentials.
    fileprivate var jwtInUse: JWTCredential? {
        guard let credential = options.jwt, !options.omitsCredentials, !headers.contains("Authorization") else { return nil }
        return credential
    }

    /// Adds a token, which is masked wherever the request or its response is displayed.
    fileprivate mutating func use(_ credential: JWTCredential, at time: Int64) throws(NetworkError) {
        let token = try JWTSignature(credential: credential).token(at: time)
        headers.append("Authorization", "Bearer \(token)")
        secrets.values.insert(token)
    }
}

extension ClientCore {
    /// Adds the token to the request of a dry run.
    func foreseeJWT(in request: inout Request, of call: Call) throws(NetworkError) {
        guard let credential = request.jwtInUse else { return }
        try request.use(credential, at: SystemClock.seconds)
        call.decided(.auth, "with a JSON Web Token, signed with \(credential.algorithm.rawValue)")
    }
}
