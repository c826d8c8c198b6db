internal import SortieHTTP

/// A request body from a sequence, with the task that reads it.
struct ProducedBody: Sendable {
    let stream: RequestBodyStream
    private let producer: Task<Void, Never>

    /// Starts to read the sequence.
    ///
    /// - Parameter length: The length of the body in bytes; nil sends it in chunked coding.
    init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64?) where Chunks.Element == [UInt8] {
        let stream = RequestBodyStream(count: length)
        self.stream = stream
        producer = Task {
            do {
                for try await chunk in chunks {
                    guard await stream.offer(chunk) else { return }
                }
                stream.end()
            } catch {
                let failure = NetworkError(.fileUnreadable, "the request body could not be produced: \(error)", underlying: String(reflecting: error))
                stream.fail(error as? NetworkError ?? failure)
            }
        }
    }

    /// The request with this body; its response is not cached, because the body is not known before it is sent.
    func replacingBody(of request: Request) -> Request {
        var request = request
        request.body = .file(path: RequestBodyStream.path, contentType: nil)
        request.options.cacheLifetime = nil
        return request
    }

    /// Ends the production, because the call has ended.
    func end() {
        stream.close()
        producer.cancel()
    }
}
