internal import SortieHTTP

/// Signs each attempt of a request with an AWS credential, with the fields, the body and the time of that attempt.
///
/// The signature is sent to the origin that the caller configured, never to the target of a redirect to another one.
struct AWSSigning<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard let credential = routed.request.awsInUse, routed.isAtConfiguredOrigin else { return try await next.send(routed, &exchange) }
        var signed = routed
        let payload = try await payload(of: routed.request, with: credential)
        try signed.request.sign(payload, with: credential, time: SystemClock.seconds)
        context.call.decided(.auth, "signed for the AWS service \(credential.service) in \(credential.region)")
        try await next.send(signed, &exchange)
    }

    /// Waits for the digest of the body; the abort of the call ends the wait.
    private func payload(of request: Request, with credential: AWSCredential) async throws(NetworkError) -> AWSSignature.Payload {
        let (call, body, mayBeUnsigned) = (context.call, request.body, AWSSignature.isS3(credential.service))
        guard case .file = body else {
            return try AWSSignature.Payload(body, files: call.files, mayBeUnsigned: mayBeUnsigned) { false }
        }
        do {
            return try await call.stage {
                try await BlockingExecutor.shared.run { () throws(NetworkError) in
                    try AWSSignature.Payload(body, files: call.files, mayBeUnsigned: mayBeUnsigned) { call.abortReason != nil }
                }
            }
        } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }
}

extension Request {
    /// The AWS credential that applies: an `Authorization` field of the request takes precedence, and a sign-in carries no credentials.
    var awsInUse: AWSCredential? {
        guard let credential = options.aws, !options.omitsCredentials, !headers.contains("Authorization") else { return nil }
        return credential
    }

    /// Adds the fields of the signature, which are masked wherever the request or its response is displayed.
    ///
    /// - Throws: `invalidOption` when the credential is incomplete.
    fileprivate mutating func sign(_ payload: AWSSignature.Payload, with credential: AWSCredential, time: Int64) throws(NetworkError) {
        if let problem = credential.problem {
            throw NetworkError(.invalidOption, "the AWS credential is not valid: \(problem)", hint: "correct the credential (awsSigV4:)")
        }
        let input = AWSSignature.Input(
            method: method, path: url.path, query: url.query, fields: PlannedHeader(self).fields.fields, payload: payload)
        let signature = AWSSignature(input, with: credential, time: time)
        for field in signature.fields {
            headers.fields.removeAll { $0.isNamed(field.name) }
            headers.fields.append(field)
        }
        secrets.values.insert(signature.signature)
        if !credential.sessionToken.isEmpty { secrets.values.insert(credential.sessionToken) }
    }
}

extension ClientCore {
    /// Signs the request of a dry run; a file is read, because its digest is part of the signature.
    func foreseeSignature(in request: inout Request, of call: Call) async throws(NetworkError) {
        guard let credential = request.awsInUse else { return }
        let (body, mayBeUnsigned) = (request.body, AWSSignature.isS3(credential.service))
        let payload = try await BlockingExecutor.shared.run { () throws(NetworkError) in
            try AWSSignature.Payload(body, files: call.files, mayBeUnsigned: mayBeUnsigned) { call.abortReason != nil }
        }
        try request.sign(payload, with: credential, time: SystemClock.seconds)
        call.decided(.auth, "signed for the AWS service \(credential.service) in \(credential.region)")
    }
}

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
        return try await call.wait(until: call.deadline, timeout: .total(call.totalLimit)) { completion in
            NegotiateToken.threads.start {
                // A call that ended while it waited for a thread needs no token.
                if let reason = call.abortReason { return completion(.failure(reason)) }
                do throws(NetworkError) { completion(.success(try NegotiateToken.make(for: host))) } catch { completion(.failure(error)) }
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
    /// The token request may need the same queue, so the call has no place in it meanwhile.
    private func wait(for grant: OAuth2.Grant, _ work: @escaping @Sendable () async throws -> Credential) async throws(NetworkError) -> Credential {
        context.giveUpPlace()
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
