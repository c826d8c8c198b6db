internal import SortieHTTP

/// The source of a request body, or of one of its parts, during one attempt.
///
/// Confined to the engine's thread.
final class BodySource {
    private enum Content {
        case bytes([UInt8])
        case file(SentFile)
        case stream(RequestBodyStream)
    }

    /// The number of bytes; nil when it is known only at the end.
    let count: Int64?
    /// The number of bytes read.
    private(set) var offset: Int64 = 0
    private let content: Content

    /// Creates a source of bytes in memory.
    init(bytes: [UInt8]) {
        content = .bytes(bytes)
        count = Int64(bytes.count)
    }

    /// Creates a source that reads a file from its first byte.
    ///
    /// - Throws: `fileUnreadable` when the file changed, or was a pipe that has been read.
    init(file: SentFile) throws(NetworkError) {
        try file.begin()
        content = .file(file)
        count = file.count
    }

    /// Creates a source that takes bytes as the program produces them.
    ///
    /// - Throws: `fileUnreadable` when some of them were sent.
    init(stream: RequestBodyStream) throws(NetworkError) {
        try stream.begin()
        content = .stream(stream)
        count = stream.count
    }

    /// The body that the program produces; nil for another source.
    var stream: RequestBodyStream? {
        if case .stream(let stream) = content { stream } else { nil }
    }

    /// The pipe whose readiness the engine waits for; nil for a source that is always ready.
    var pipe: SentFile? {
        if case .file(let file) = content, !file.isSeekable { file } else { nil }
    }

    /// Fills `buffer` with the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> SentFile.Piece {
        let piece: SentFile.Piece
        switch content {
        case .bytes(let bytes):
            let wanted = min(buffer.count, bytes.count - Int(offset))
            guard wanted > 0 else { return .end }
            bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + wanted])) }
            piece = .bytes(wanted)
        case .file(let file):
            piece = file.read(into: buffer, at: offset)
        case .stream(let stream):
            piece = stream.read(into: buffer)
        }
        if case .bytes(let got) = piece { offset += Int64(got) }
        return piece
    }

    private var isSeekable: Bool {
        switch content {
        case .bytes: true
        case .file(let file): file.isSeekable
        case .stream: false
        }
    }

    /// Continues at `offset`; returns false where those bytes are no longer available.
    func seek(to offset: Int64) -> Bool {
        guard offset != self.offset else { return true }
        guard offset >= 0, isSeekable, count.map({ offset <= $0 }) ?? true else { return false }
        self.offset = offset
        return true
    }
}

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
                let failure = NetworkError(.fileUnreadable, "the request body could not be produced: \(error.wordsInMessage)", cause: error)
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

/// The sink of one attempt of a streamed call: passes the head and the bytes to the consumer.
struct StreamBody: BodySink {
    private let pipe: ResponsePipe
    /// The URL of the request.
    private let url: HTTPURL
    private(set) var count: Int64 = 0

    /// Begins an attempt.
    init(_ pipe: ResponsePipe, of url: HTTPURL) {
        (self.pipe, self.url) = (pipe, url)
        pipe.beginAttempt()
    }

    var beginsWithHeader: Bool { true }
    /// The body of a response that a step of the path may still inspect; empty for one that is delivered.
    var view: BodyBytes { BodyBytes(pipe.heldBody) }
    var isBehind: Bool { false }
    var failure: NetworkError? { nil }

    func begin(_ header: HeaderBytes) throws(NetworkError) {
        var head = header.response
        head.url = url
        try pipe.begin(head)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        count += Int64(bytes.count)
        return try pipe.append(bytes, whenDrained: whenDrained)
    }

    func flush() {}

    func waitUntilWritten() {}

    func finish() async throws(NetworkError) {}
}
