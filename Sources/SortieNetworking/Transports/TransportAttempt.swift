internal import SortieHTTP

/// One attempt that a ``Transport`` performs: passes the response to the sink of the call, as ``TransferSink`` does for libcurl.
///
/// Sinks expect the engine's thread, so every step runs there.
@Engine
final class TransportAttempt {
    nonisolated private let transferRequest: TransferRequest
    /// Whether the host was looked up, so that the engine can perform the attempt.
    nonisolated private let usesEngine: Bool
    nonisolated private let observer: (@Sendable (Transfer.Event) -> Void)?
    private var body: any BodySink
    private var header = HeaderBytes()
    private var hasBegunBody = false
    /// Whether the response is a redirect that is followed, whose body is discarded.
    private var isRedirect = false
    /// The body length that the header declares; nil where none is declared or none follows.
    private var declaredLength: Int64?
    private var received: Int64 = 0
    private var sent: Int64 = 0
    private var timing = Timing()
    private var isTimed = false
    /// Why the attempt ended.
    private var failure: NetworkError?
    private var isOver = false
    private var isHeld = false
    /// Resumes the writers that wait for the sink.
    private var drained: [CheckedContinuation<Void, Never>] = []
    /// Resumes the writers that wait for the end of a suspension.
    private var held: [CheckedContinuation<Void, Never>] = []
    /// The transfer of the engine to which the attempt was passed on, while it runs.
    private var transfer: Transfer?
    /// Its outcome.
    private var passedOn: TransferOutcome?
    private var lastActivity: UInt64
    private let idleTimer = TimerQueue.ID()

    nonisolated init(_ transferRequest: TransferRequest, usesEngine: Bool, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) {
        (self.transferRequest, self.usesEngine, self.body, self.observer) = (transferRequest, usesEngine, body, observer)
        lastActivity = MonotonicClock.now
    }

    // MARK: The call's side

    /// Runs the transport to the end of the response.
    nonisolated func run(_ transport: any Transport, _ request: TransportRequest) async -> Result<Void, NetworkError> {
        do {
            try await transport.perform(request, response: TransportResponseWriter(self))
            return await complete()
        } catch {
            return .failure(await failure ?? Self.failure(of: transport, error))
        }
    }

    nonisolated private static func failure(of transport: any Transport, _ error: any Error) -> NetworkError {
        if let error = error as? NetworkError { return error }
        if error is CancellationError { return .cancelledByCaller }
        return NetworkError(
            .internalFailure, "the transport \(type(of: transport)) failed: \(error.wordsInMessage)", hint: "throw a NetworkError from the transport",
            cause: error)
    }

    /// Ends the response that the transport wrote.
    private func complete() -> Result<Void, NetworkError> {
        if let failure = failure ?? passedOn?.error { return .failure(failure) }
        guard passedOn == nil else { return .success(()) }
        guard header.isFinal else { return .failure(NetworkError(.emptyResponse, "the transport returned without a response")) }
        if let declaredLength, received < declaredLength, !isRedirect {
            return .failure(
                NetworkError(.truncatedBody, "the body ended after \(received) of \(declaredLength) bytes, the declared Content-Length"))
        }
        do throws(NetworkError) { try beginBody() } catch { return .failure(error) }
        return .success(())
    }

    /// Reports an attempt without a byte for the idle time limit.
    func watch(_ timeout: @escaping @Sendable (NetworkError) -> Void) {
        guard !isOver else { return }
        let now = MonotonicClock.now
        // The engine enforces the limit of its transfer.
        if isHeld || !drained.isEmpty || transfer != nil { lastActivity = now }
        let deadline = lastActivity &+ transferRequest.idleLimit.nanoseconds
        guard now < deadline else {
            return timeout(NetworkError.idle(transferRequest.idleLimit, from: transferRequest.url.authority))
        }
        TimerQueue.shared.set(idleTimer, at: deadline) { Engine.assumeIsolated { self.watch(timeout) } }
    }

    /// Suspends or resumes the attempt.
    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        lastActivity = MonotonicClock.now
        if let transfer { TransferQueue.shared.hold(transfer, isHeld) }
        if !isHeld { held.resumeAll() }
    }

    /// Records how many bytes of the request body the transport has read.
    func note(sent: Int64) {
        guard !isOver else { return }
        self.sent = sent
        lastActivity = MonotonicClock.now
        report()
    }

    /// Refuses further bytes and returns the outcome.
    func end(_ error: NetworkError?) -> TransferOutcome {
        isOver = true
        failure = failure ?? error
        TimerQueue.shared.cancel(idleTimer)
        drained.resumeAll()
        held.resumeAll()
        if let transfer { TransferQueue.shared.abort(transfer, reason: failure ?? .cancelledByCaller) }
        if var outcome = passedOn {
            outcome.error = failure ?? outcome.error
            return outcome
        }
        if !isRedirect { body.flush() }
        return TransferOutcome(
            header: header, body: isRedirect ? nil : body, error: failure, timing: timing, isTimed: isTimed,
            sentHeaders: PlannedHeader(transferRequest.request).fields,
            sentBodyBytes: sent, wireBytes: received)
    }

    // MARK: The transport's side

    /// Passes the attempt on to the engine and waits for its end.
    func performWithEngine() async throws(NetworkError) {
        try await pass()
        try takeTurn()
        guard usesEngine else {
            throw fail(
                NetworkError(
                    .internalFailure, "the transport passed a request on to the engine without a lookup of its host",
                    hint: "return true from usesEngine of the transport"))
        }
        let error: NetworkError? = await withCheckedContinuation { continuation in
            do throws(NetworkError) {
                transfer = try TransferQueue.shared.start(transferRequest, body: body, observer: observer) { outcome in
                    let error = outcome.error
                    self.transfer = nil
                    self.passedOn = outcome
                    continuation.resume(returning: error)
                }
                if isHeld, let transfer { TransferQueue.shared.hold(transfer, true) }
            } catch { continuation.resume(returning: error) }
        }
        lastActivity = MonotonicClock.now
        if let error { throw error }
    }

    /// Refuses a second response; after an attempt of the engine that ended without a response, another one may follow.
    private func takeTurn() throws(NetworkError) {
        guard header.status == 0, transfer == nil, passedOn?.response == nil else {
            throw fail(NetworkError(.badResponse, "the transport began a second response"))
        }
        passedOn = nil
    }

    func begin(_ head: Response) async throws(NetworkError) {
        try await pass()
        try takeTurn()
        guard (200...999).contains(head.status) else {
            throw fail(NetworkError(.badResponse, "the status \(head.status) of the transport is not that of a final response"))
        }
        try take("HTTP/\(head.httpVersion) \(head.status) \(head.reason)")
        try take(head.headers)
        try take("")
        let headers = header.block.headers
        isRedirect = transferRequest.options.maximumRedirects > 0 && RedirectLocation.location(status: head.status, headers: headers) != nil
        let hasBody = transferRequest.method != .head && head.status != 204 && head.status != 304
        // The declared length is that of the encoded body.
        if hasBody, !headers.contains("Content-Encoding") { declaredLength = headers["Content-Length"].flatMap { Int64($0) } }
        guard !isRedirect else { return }
        observer?(.responded(header.block.response))
        if body.beginsWithHeader, head.status < 400 { try beginBody() }
    }

    func write(_ bytes: [UInt8]) async throws(NetworkError) {
        try await pass()
        guard header.isFinal else { throw fail(NetworkError(.badResponse, "the transport wrote a body before the head of the response")) }
        guard !isRedirect, !bytes.isEmpty else { return }
        try beginBody()
        received += Int64(bytes.count)
        let mustWait: Bool
        do throws(NetworkError) {
            mustWait = try bytes.withUnsafeBufferPointer { (buffer) throws(NetworkError) in
                try body.append(UnsafeRawBufferPointer(buffer), whenDrained: { Engine.post { self.drained.resumeAll() } })
            }
        } catch { throw fail(error) }
        report()
        let view = observer == nil ? BodyBytes.empty : body.view
        if !view.isEmpty { observer?(.grew(view)) }
        guard mustWait else { return }
        // `whenDrained` is posted, so it cannot run before the continuation is stored.
        await withCheckedContinuation { drained.append($0) }
        if let failure = body.failure { throw fail(failure) }
        try await pass()
    }

    func write(trailers: Headers) async throws(NetworkError) {
        try await pass()
        guard header.isFinal else { throw fail(NetworkError(.badResponse, "the transport wrote trailers before the head of the response")) }
        try take(trailers)
    }

    func record(_ timing: TransportTiming) {
        timing.write(to: &self.timing)
        isTimed = timing.total != nil
    }

    /// Waits while the attempt is suspended.
    private func pass() async throws(NetworkError) {
        lastActivity = MonotonicClock.now
        while isHeld, !isOver { await withCheckedContinuation { held.append($0) } }
        if let failure { throw failure }
        if isOver { throw .cancelledByCaller }
    }

    private func beginBody() throws(NetworkError) {
        guard !hasBegunBody, !isRedirect else { return }
        hasBegunBody = true
        do throws(NetworkError) { try body.begin(header) } catch { throw fail(error) }
    }

    /// Records the error that ends the attempt, whatever the transport makes of it.
    private func fail(_ error: NetworkError) -> NetworkError {
        failure = failure ?? error
        return error
    }

    private func take(_ headers: Headers) throws(NetworkError) {
        for field in headers.fields {
            guard !field.name.isEmpty, !field.name.contains(where: { $0.isWhitespace || $0 == ":" }) else {
                throw fail(NetworkError(.badResponse, "“\(field.name)” of the transport is not the name of a header field"))
            }
            try take("\(field.name): \(field.value)")
        }
    }

    /// Adds one line to the header.
    private func take(_ line: String) throws(NetworkError) {
        guard !line.utf8.contains(where: { $0 == 0x0a || $0 == 0x0d }) else {
            throw fail(NetworkError(.badResponse, "a header field of the transport contains a line break"))
        }
        let isInLimit = Array("\(line)\r\n".utf8).withUnsafeBytes { header.take($0) }
        guard isInLimit else {
            throw fail(NetworkError(.badResponse, "the response's header is larger than \(ByteCount(HeaderBytes.limit).text)"))
        }
    }

    private func report() {
        observer?(.progressed(CallProgress(sent: sent, sentTotal: transferRequest.bodyLength, received: received, receivedTotal: declaredLength)))
    }
}

extension [CheckedContinuation<Void, Never>] {
    fileprivate mutating func resumeAll() {
        let waiting = self
        self = []
        for continuation in waiting { continuation.resume() }
    }
}
