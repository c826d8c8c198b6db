public import SortieHTTP

extension Client {
    /// Sends a request and returns the head of its response as soon as it arrives; the body follows as a sequence of byte chunks.
    ///
    /// Trust, proxy, redirects, cookies, retries, servers and addresses, and the stages of plugins up to the response apply as for other calls. A
    /// response below 400 is delivered at once, and the request is not repeated afterwards. Other responses are delivered when no step repeats the
    /// request.
    ///
    /// The cache, the encryption of responses, filters, envelopes and the rules for responses do not apply, and plugins see no body of a delivered
    /// response. The request is sent over HTTP/1.1, because libcurl cannot pause an HTTP/2 stream. There is no total time limit unless the request
    /// sets one; the idle time limit applies.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - plugins: Plugins of this call, after those of the client and the service (S4.17).
    /// - Throws: A `NetworkError` when no head arrived; `cancelled` when the task was cancelled.
    public func stream(_ request: Request, plugins: [any Plugin] = []) async throws(NetworkError) -> StreamedResponse {
        try await stream(request, plugins: plugins, sending: nil).get()
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
    ///   - plugins: Plugins of this call, after those of the client and the service (S4.17).
    /// - Throws: A `NetworkError` when no head arrived, also where the sequence throws or has another length; `cancelled` when the task was cancelled.
    public func stream<Body: AsyncSequence & Sendable>(
        _ request: Request, body: Body, length: Int64? = nil, plugins: [any Plugin] = []
    ) async throws(NetworkError) -> StreamedResponse where Body.Element == [UInt8] {
        var request = request
        request.body = .file(path: RequestBodyStream.path, contentType: nil)
        let sent = RequestBodyStream(count: length)
        let producer = Task {
            do {
                for try await chunk in body {
                    guard await sent.offer(chunk) else { return }
                }
                sent.end()
            } catch {
                let failure = NetworkError(.fileUnreadable, "the request body could not be produced: \(error)", underlying: String(reflecting: error))
                sent.fail(error as? NetworkError ?? failure)
            }
        }
        return try await stream(request, plugins: plugins, sending: sent) {
            sent.close()
            producer.cancel()
        }.get()
    }

    private func stream(
        _ request: Request, plugins: [any Plugin], sending body: RequestBodyStream?, whenOver: @escaping @Sendable () -> Void = {}
    ) async -> Result<StreamedResponse, NetworkError> {
        var request = request
        guard request.options.version != .http2 else {
            whenOver()
            return .failure(
                NetworkError(.invalidOption, "a response over HTTP/2 cannot be streamed", hint: "use the version automatic or http1"))
        }
        request.options.version = .http1
        request.options.cacheLifetime = nil
        let pipe = ResponsePipe()
        let call = core.register(makeID(), request, pipe: pipe, observer: nil)
        if let body { call.files.use(body) }
        let result = Task { [core] in
            let exchange = await core.run(call, CallAdditions(plugins: plugins))
            pipe.end(exchange)
            whenOver()
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
