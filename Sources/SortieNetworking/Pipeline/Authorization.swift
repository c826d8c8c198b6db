internal import SortieBase
internal import SortieHTTP

/// Adds the credentials of a request to its message.
///
/// The step is at two places of the path, because a token is part of what plugins sign, and a signature covers what they add (``AuthorizationStage``).
/// Credentials are sent to the origin that the caller configured, never to the target of a redirect to another one. A field `Authorization` of the
/// request takes precedence. What is added is masked wherever the request or its response is displayed.
struct Authorization<Next: RequestStep>: RequestStep {
    let context: CallContext
    let stage: AuthorizationStage
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard routed.isAtConfiguredOrigin, routed.request.isAuthorized(at: stage) else { return try await next.send(routed, &exchange) }
        if case .oauth2(let settings) = routed.request.options.credential { return try await send(routed, &exchange, with: settings) }
        var authorized = routed
        try await authorize(&authorized.request)
        try await next.send(authorized, &exchange)
    }

    /// Adds the credentials of one attempt.
    private func authorize(_ request: inout Request) async throws(NetworkError) {
        let call = context.call
        switch request.options.credential {
        case .awsSigV4(let credential):
            let payload = try await payload(of: request, mayBeUnsigned: AWSSignature.isS3(credential.service))
            try request.sign(payload, with: credential, of: call)
        case .jwt(let credential): try request.add(credential, of: call)
        case .signature(let credential):
            let digest = try await MessageSignature.needsDigest(credential, request) ? payload(of: request, mayBeUnsigned: false) : nil
            try request.sign(with: credential, digest, of: call)
        case .negotiate:
            let host = request.url.hostForLookup
            let token = try await context.ticket(for: host)
            request.headers.append("Authorization", "Negotiate \(token)")
            request.secrets.values.insert(token)
            call.decided(.auth, "with a Kerberos ticket for \(NegotiateToken.service(of: host))")
        // A plugin may set them after the call has started.
        case .basic, .bearer, .apiKey: request.placeCredential()
        case .inherit, .none, .digest, .oauth2, .ntlm: break
        }
    }

    /// Waits for the digest of the body; the abort of the call ends the wait.
    private func payload(of request: Request, mayBeUnsigned: Bool) async throws(NetworkError) -> AWSSignature.Payload {
        let call = context.call
        guard case .file = request.body else {
            return try AWSSignature.Payload(request.body, files: call.files, mayBeUnsigned: mayBeUnsigned) { false }
        }
        do {
            return try await call.stage("the checksum of the file of its body") { try await request.payload(mayBeUnsigned: mayBeUnsigned, of: call) }
        } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }

    // MARK: OAuth 2

    /// Sends the request with an access token, and once more with a new token after a 401.
    private func send(_ routed: RoutedRequest, _ exchange: inout Exchange, with settings: OAuth2) async throws(NetworkError) {
        let session = context.core.oauth2Session(settings, for: routed.request)
        let store = session.store
        let known = store.present?.credential.version
        // The user may take longer than a request.
        let start = context.call.waitStart
        var credential = try await wait(for: settings) { try await store.credential() }
        if settings.grant.isInteractive { context.call.exclude(since: start) }
        let source = credential.version == known ? "of an earlier request" : "that was fetched for this request"
        context.call.decided(.auth, "with the OAuth 2 token \(source)")
        if let problem = session.takeArchiveProblem() { context.call.decided(.auth, "the token is not stored: \(problem)") }
        for isRepeated in [false, true] {
            var authorized = routed
            authorized.request.add(bearer: credential.token)
            try await next.send(authorized, &exchange)
            guard !isRepeated, exchange.response?.status == 401 else { return }
            let rejected = credential.version
            let start = context.call.waitStart
            credential = try await wait(for: settings) { try await store.refresh(after: rejected) }
            if settings.grant.isInteractive { context.call.exclude(since: start) }
            context.call.decided(.auth, "sent again: the OAuth 2 token was rejected and renewed")
        }
    }

    /// Waits for a token; the abort of the call ends the wait, and the token request continues for the other calls.
    ///
    /// The time limit of the call ends the wait for a server, not the wait for a user.
    /// The token request may need the same queue, so the call has no place in it meanwhile.
    private func wait(for settings: OAuth2, _ work: @escaping @Sendable () async throws -> Credential) async throws(NetworkError) -> Credential {
        context.giveUpPlace()
        do {
            let isLimited = !settings.grant.isInteractive
            return try await context.call.stage(isLimited: isLimited, "an OAuth 2 token from \(settings.tokenPlace)", work)
        } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }
}

extension CallContext {
    /// Waits for a Kerberos ticket, which a server accepts only once (RFC 4559); the time limit and the abort of the call end the wait.
    ///
    /// Tickets are made on separate threads: the library waits for a key distribution center, which may not respond, and the engine's thread must not
    /// wait.
    func ticket(for host: String) async throws(NetworkError) -> String {
        let call = call
        return try await call.wait(
            until: call.deadline, timeout: .total(call.totalLimit, waitingFor: "a Kerberos ticket for \(host)")
        ) { completion in
            NegotiateToken.threads.start {
                // A call that ended while it waited for a thread needs no token.
                if let reason = call.abortReason { return completion(.failure(reason)) }
                do throws(NetworkError) { completion(.success(try NegotiateToken.make(for: host))) } catch { completion(.failure(error)) }
            }
        }
    }
}

/// When credentials are added to a message.
enum AuthorizationStage {
    /// Before the plugins, which may sign the token; it is used until a server rejects it.
    case message
    /// After the plugins, for each attempt, with its fields, its body and its time.
    case attempt
}

extension Auth {
    /// When the path adds the credentials; nil where there are none, and where the engine responds to a challenge.
    var stage: AuthorizationStage? {
        switch self {
        case .inherit, .none, .digest, .ntlm: nil
        case .oauth2: .message
        case .basic, .bearer, .awsSigV4, .jwt, .negotiate, .apiKey, .signature: .attempt
        }
    }
}

extension Request {
    /// Whether credentials are added at a stage; a field `Authorization` takes precedence where they are one as well.
    fileprivate func isAuthorized(at stage: AuthorizationStage) -> Bool {
        options.credential.stage == stage && (options.credential.isBesideAuthorization || !headers.contains("Authorization"))
    }

    /// The digest of the body, computed on a thread that may wait for a file, until the call is aborted.
    fileprivate func payload(mayBeUnsigned: Bool, of call: Call) async throws(NetworkError) -> AWSSignature.Payload {
        let body = body
        return try await BlockingExecutor.shared.run { () throws(NetworkError) in
            try AWSSignature.Payload(body, files: call.files, mayBeUnsigned: mayBeUnsigned) { call.abortReason != nil }
        }
    }

    fileprivate mutating func add(bearer token: String) {
        headers.append("Authorization", "Bearer \(token)")
        secrets.values.insert(token)
    }

    /// Adds a JSON Web Token, which is made for each attempt so that it does not expire before it is sent.
    fileprivate mutating func add(_ credential: JWTCredential, of call: Call) throws(NetworkError) {
        add(bearer: try JWTSignature(credential: credential).token(at: SystemClock.seconds))
        call.decided(.auth, "with a JSON Web Token, signed with \(credential.algorithm.rawValue)")
    }

    /// Adds the fields of a scheme of ``SignatureCredential``.
    ///
    /// - Parameter digest: The SHA-256 of the body, where it is signed.
    /// - Throws: `invalidOption` when the credential is incomplete or does not fit the request.
    fileprivate mutating func sign(
        with credential: SignatureCredential, _ digest: AWSSignature.Payload?, of call: Call
    ) throws(NetworkError) {
        if let digest, case .digest(let bytes) = digest { headers.append("Content-Digest", "sha-256=:\(Base64.text(bytes)):") }
        let signature = try MessageSignature(
            credential, method: method, url: url, fields: PlannedHeader(self).fields, time: SystemClock.seconds, nonce: ProofKey.random())
        for field in signature.fields { headers.append(field.name, field.value) }
        if let last = signature.fields.last { secrets.values.insert(last.value) }
        call.decided(.auth, "signed by \(credential.scheme.rawValue)")
    }

    /// Adds the fields of a signature.
    ///
    /// - Throws: `invalidOption` when the credential is incomplete.
    fileprivate mutating func sign(_ payload: AWSSignature.Payload, with credential: AWSCredential, of call: Call) throws(NetworkError) {
        if let problem = credential.problem {
            throw NetworkError(.invalidOption, "the AWS credential is not valid: \(problem)", hint: "correct the credential (awsSigV4:)")
        }
        let input = AWSSignature.Input(
            method: method, path: url.path, query: url.query, fields: PlannedHeader(self).fields.fields, payload: payload)
        let signature = AWSSignature(input, with: credential, time: SystemClock.seconds)
        for field in signature.fields {
            headers.fields.removeAll { $0.isNamed(field.name) }
            headers.fields.append(field)
        }
        secrets.values.insert(signature.signature)
        if !credential.sessionToken.isEmpty { secrets.values.insert(credential.sessionToken) }
        call.decided(.auth, "signed for the AWS service \(credential.service) in \(credential.region)")
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

    /// Adds the credentials of a stage to the request of a dry run, which fetches no token and requests no ticket from a key distribution center.
    ///
    /// A file is read for an AWS signature, because its digest is part of it.
    func foreseeCredential(in request: inout Request, at stage: AuthorizationStage, of call: Call) async throws(NetworkError) {
        guard request.isAuthorized(at: stage) else { return }
        switch request.options.credential {
        case .oauth2(let settings):
            guard let present = oauth2Session(settings, for: request).store.present else {
                return call.decided(.auth, "an OAuth 2 token would be fetched first and inserted into Authorization")
            }
            if present.isDue { call.decided(.auth, "the OAuth 2 token would be renewed first and inserted into Authorization") }
            request.add(bearer: present.credential.token)
        case .awsSigV4(let credential):
            let payload = try await request.payload(mayBeUnsigned: AWSSignature.isS3(credential.service), of: call)
            try request.sign(payload, with: credential, of: call)
        case .jwt(let credential): try request.add(credential, of: call)
        case .signature(let credential):
            let digest = try await MessageSignature.needsDigest(credential, request) ? request.payload(mayBeUnsigned: false, of: call) : nil
            try request.sign(with: credential, digest, of: call)
        case .negotiate:
            call.decided(.auth, "Authorization: Negotiate, with a Kerberos ticket for \(NegotiateToken.service(of: request.url.hostForLookup))")
        case .basic, .bearer, .apiKey: request.placeCredential()
        case .inherit, .none, .digest, .ntlm: break
        }
    }
}
