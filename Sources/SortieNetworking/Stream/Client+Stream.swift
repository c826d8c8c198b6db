public import SortieHTTP

extension Client {
    /// Sends a request and returns the head of its response as soon as it arrives; the body follows as a sequence of byte chunks.
    ///
    /// Trust, proxy, redirects, cookies, retries, servers and addresses, the stages of plugins up to the response, and the rules for statuses and
    /// types apply as for other calls. A response below 400 is delivered at once, and the request is not repeated afterwards. Other responses are
    /// delivered when no step repeats the request. A response that the rules refuse is thrown in place of its head.
    ///
    /// The cache, the decryption of responses, filters and envelopes do not apply, because they need the whole body, and plugins see no body of a
    /// delivered response.
    ///
    /// The request is sent over HTTP/1.1 unless its version is `http2`: libcurl 7.88.1 cannot pause one HTTP/2 stream of a connection. A response over
    /// HTTP/2 therefore has a separate connection, which is not read while the consumer is slow. A few hundred KB may wait in memory.
    ///
    /// The request occupies a place of its service until its head is delivered. Where the service limits its connections, the response occupies one
    /// until its end. There is no total time limit unless the request sets one; the idle time limit applies.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    ///   - onEvent: Called for each event, on any thread, with progress about every 40 ms; the last event is `finished`.
    /// - Throws: A `NetworkError` when no head arrived; `status` and `badBody` for a response that the rules refuse; `cancelled` when the task was
    ///   cancelled.
    public func stream(
        _ request: Request, plugins: [any Plugin] = [], onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async throws(NetworkError) -> StreamedResponse {
        try await stream(request, plugins: plugins, sending: nil, onEvent: onEvent).get()
    }

    /// Sends a request whose body the program produces while it is sent, and streams the response.
    ///
    /// The next chunk is requested when the previous one was passed on. The body is sent once, so the request is not repeated after its first byte. An
    /// error of the sequence ends the call.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` should be set.
    ///   - body: The chunks of the body.
    ///   - length: The length of the body in bytes; nil sends it in chunked coding.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    ///   - onEvent: Called for each event, on any thread, with progress about every 40 ms; the last event is `finished`.
    /// - Throws: A `NetworkError` when no head arrived, also where the sequence throws or has another length; `cancelled` when the task was cancelled.
    public func stream<Body: AsyncSequence & Sendable>(
        _ request: Request, body: Body, length: Int64? = nil, plugins: [any Plugin] = [], onEvent: (@Sendable (CallEvent) -> Void)? = nil
    ) async throws(NetworkError) -> StreamedResponse where Body.Element == [UInt8] {
        let body = ProducedBody(body, length: length)
        return try await stream(body.replacingBody(of: request), plugins: plugins, sending: body, onEvent: onEvent).get()
    }

    /// Sends a request whose body the program produces while it is sent, and waits for its whole response.
    ///
    /// The body is sent once, as by ``stream(_:body:length:plugins:onEvent:)``. The response is not cached.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` should be set.
    ///   - body: The chunks of the body.
    ///   - length: The length of the body in bytes; nil sends it in chunked coding.
    ///   - plugins: Plugins of this call, after those of the client and the service.
    /// - Throws: A `NetworkError` when no complete response arrived, also where the sequence throws or has another length; `cancelled` when the task
    ///   was cancelled.
    public func send<Body: AsyncSequence & Sendable>(
        _ request: Request, body: Body, length: Int64? = nil, plugins: [any Plugin] = []
    ) async throws(NetworkError) -> Response where Body.Element == [UInt8] {
        let body = ProducedBody(body, length: length)
        let call = core.register(makeID(), body.replacingBody(of: request), observer: nil)
        call.files.use(body.stream)
        let exchange = await core.runCancellably(call, CallAdditions(plugins: plugins))
        body.end()
        return try exchange.result.get()
    }

    private func stream(
        _ request: Request, plugins: [any Plugin], sending body: ProducedBody?, onEvent: (@Sendable (CallEvent) -> Void)?
    ) async -> Result<StreamedResponse, NetworkError> {
        let pipe = ResponsePipe()
        let call = core.register(makeID(), request, pipe: pipe, observer: Call.observer(of: onEvent))
        if let body { call.files.use(body.stream) }
        let result = Task { [core] in
            let exchange = await core.run(call, CallAdditions(plugins: plugins))
            pipe.end(exchange)
            body?.end()
            return exchange
        }
        let lifetime = ByteStream.Lifetime(pipe) { call.abort(.cancelledByCaller) }
        let head = await withTaskCancellationHandler {
            await pipe.head()
        } onCancel: {
            lifetime.cancel()
        }
        return head.map { StreamedResponse(id: call.id, head: $0, body: ByteStream(lifetime: lifetime), result: result) }
    }
}

/// A response whose body arrives while it is read.
public struct StreamedResponse: Sendable {
    /// The identity of the call.
    public let id: RequestID
    /// The status and the header fields; its body is empty.
    public let head: Response
    /// The body.
    public let body: ByteStream
    let result: Task<Exchange, Never>

    /// The exchange with its attempts, timing and error, after the end of the body.
    ///
    /// The body must be read to its end, or the call cancelled, before the exchange ends.
    public var exchange: Exchange {
        get async { await result.value }
    }
}
