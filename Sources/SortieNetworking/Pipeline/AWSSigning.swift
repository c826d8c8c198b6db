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
