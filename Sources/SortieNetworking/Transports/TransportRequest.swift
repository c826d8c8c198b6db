public import SortieHTTP

/// One attempt as a ``Transport`` receives it: the request after redirects, plugins, cookies and signatures.
public struct TransportRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The URL.
    public let url: HTTPURL
    /// All header fields in the order in which they are sent, also those that the client adds, such as `Host` and `Content-Length`.
    public let headers: Headers
    /// The body.
    public let body: TransportBody
    /// The options of the request, merged from all layers.
    public let options: RequestOptions
    /// The limit of the time without a byte in either direction, which the client enforces.
    public let idleLimit: Duration
    /// The time until the total time limit expires, which the client enforces; nil without a limit.
    public let timeLeft: Duration?

    /// Opens the files of the body.
    ///
    /// - Parameter onSent: Called with the number of body bytes that the transport has read, on any thread.
    init(_ transferRequest: TransferRequest, onSent: @escaping @Sendable (Int64) -> Void) throws(NetworkError) {
        method = transferRequest.method
        url = transferRequest.url
        options = transferRequest.options
        body = try TransportBody(transferRequest, onSent: onSent)
        var headers = PlannedHeader(transferRequest.request).fields
        if let boundary = body.boundary, case .multipart = transferRequest.body {
            headers["Content-Type"] = "multipart/form-data; boundary=\(boundary)"
            if let length = body.length { headers.append("Content-Length", String(length)) }
        }
        self.headers = headers
        idleLimit = transferRequest.idleLimit
        timeLeft = transferRequest.deadline.map { deadline in
            let now = MonotonicClock.now
            return .nanoseconds(Int64(clamping: deadline - min(deadline, now)))
        }
    }
}

/// The body of an attempt as a sequence of byte chunks, read from memory, from files, or from the sequence of the program.
///
/// A body that the program produces while it is sent can be read once; other bodies can be read again.
public struct TransportBody: AsyncSequence, Sendable {
    fileprivate enum Piece: Sendable {
        case bytes([UInt8])
        case file(SentFile)
        case stream(RequestBodyStream)
    }

    /// The length in bytes; nil where it is known only at the end.
    public let length: Int64?
    /// The boundary of a multipart body; nil for other bodies.
    let boundary: String?
    fileprivate let pieces: [Piece]
    fileprivate let onSent: @Sendable (Int64) -> Void

    /// Opens the files of a body.
    init(_ transferRequest: TransferRequest, onSent: @escaping @Sendable (Int64) -> Void) throws(NetworkError) {
        self.onSent = onSent
        var boundary: String?
        switch transferRequest.body {
        case .none: pieces = []
        case .bytes(let bytes, _): pieces = [.bytes(bytes)]
        case .file(let path, _):
            if let stream = transferRequest.files.stream(at: path) {
                try stream.begin()
                pieces = [.stream(stream)]
            } else {
                pieces = [.file(try Self.file(at: path, transferRequest.files))]
            }
        case .multipart(let parts):
            let line = "sortie-\(String(UInt64.random(in: .min ... .max), radix: 16))"
            boundary = line
            var all: [Piece] = []
            for part in parts {
                all.append(.bytes(Array("--\(line)\r\n\(part.header)\r\n".utf8)))
                switch part.content {
                case .bytes(let bytes): all.append(.bytes(bytes))
                case .file(let path): all.append(.file(try Self.file(at: path, transferRequest.files)))
                }
                all.append(.bytes([0x0d, 0x0a]))
            }
            pieces = all + [.bytes(Array("--\(line)--\r\n".utf8))]
        }
        self.boundary = boundary
        length = pieces.reduce(0) { sum, piece in
            guard let sum, let count = piece.count else { return nil }
            return sum + count
        }
    }

    private static func file(at path: String, _ files: SentFiles) throws(NetworkError) -> SentFile {
        let file = try files.file(at: path)
        try file.begin()
        return file
    }

    /// Reads the whole body.
    ///
    /// - Parameter limit: The largest number of bytes; 64 MiB by default.
    /// - Throws: `bodyTooLarge` beyond the limit, and `fileUnreadable` when the body cannot be read.
    public func collect(upTo limit: Int = 64 << 20) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in self {
            bytes += chunk
            guard bytes.count <= limit else {
                throw NetworkError(.bodyTooLarge, "the request body is larger than \(ByteCount(limit).text), the limit of the transport")
            }
        }
        return bytes
    }

    /// Creates an iterator that begins with the first byte.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads a body.
    public struct Iterator: AsyncIteratorProtocol {
        private let body: TransportBody
        private var index = 0
        /// The offset within the current piece.
        private var offset: Int64 = 0
        private var sent: Int64 = 0

        fileprivate init(_ body: TransportBody) { self.body = body }

        /// The next chunk; nil after the last one.
        ///
        /// - Throws: `fileUnreadable` when the body cannot be read, and a `CancellationError` where the task is cancelled while a pipe or the program
        ///   produces nothing.
        public mutating func next() async throws -> [UInt8]? {
            while body.pieces.indices.contains(index) {
                let piece = body.pieces[index]
                let offset = offset
                switch await withTaskExecutorPreference(BlockingExecutor.shared, operation: { piece.read(at: offset) }) {
                case .bytes(let bytes):
                    self.offset += Int64(bytes.count)
                    sent += Int64(bytes.count)
                    body.onSent(sent)
                    return bytes
                case .end:
                    index += 1
                    self.offset = 0
                case .later: try await Task.sleep(for: TransportBody.pollInterval)
                case .failed(let error): throw error
                }
            }
            return nil
        }
    }

    /// How long to wait before a pipe or the program is asked for bytes again.
    ///
    /// Polling ends with the task, and only transports that replace the engine pay for it.
    private static let pollInterval = Duration.milliseconds(5)
}

extension TransportBody.Piece {
    fileprivate enum Step {
        case bytes([UInt8])
        case end
        case later
        case failed(NetworkError)
    }

    private static var chunkSize: Int { 64 << 10 }

    fileprivate var count: Int64? {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.count
        case .stream(let stream): stream.count
        }
    }

    fileprivate func read(at offset: Int64) -> Step {
        var piece = SentFile.Piece.end
        switch self {
        case .bytes(let bytes): return offset == 0 && !bytes.isEmpty ? .bytes(bytes) : .end
        case .file, .stream: break
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            switch self {
            case .bytes: break
            case .file(let file): piece = file.read(into: raw, at: offset)
            case .stream(let stream): piece = stream.read(into: raw)
            }
            if case .bytes(let got) = piece { count = got }
        }
        return switch piece {
        case .bytes: .bytes(bytes)
        case .end: .end
        case .later: .later
        case .failed(let error): .failed(error)
        }
    }
}

/// Receives the response of one attempt from a ``Transport``.
///
/// Every method throws when the attempt has ended, because the call was cancelled, a time limit expired, or the client does not need the rest of the
/// body. The transport then returns; an error that it throws has no further effect.
public struct TransportResponseWriter: Sendable {
    private let attempt: TransportAttempt

    init(_ attempt: TransportAttempt) { self.attempt = attempt }

    /// Begins the response.
    ///
    /// - Parameter head: The status, the reason phrase, the HTTP version and the fields of the response; the rest is ignored.
    /// - Throws: `badResponse` for an invalid status or field and for a second response, and the reason of the end of the attempt.
    public func begin(_ head: Response) async throws(NetworkError) {
        try await attempt.begin(head)
    }

    /// Adds bytes of the body, without any content coding; returns when the client accepts more.
    ///
    /// - Parameter bytes: The next bytes.
    /// - Throws: `badResponse` before ``begin(_:)``, and the reason of the end of the attempt.
    public func write(_ bytes: [UInt8]) async throws(NetworkError) {
        try await attempt.write(bytes)
    }

    /// Adds the fields after the body.
    ///
    /// - Parameter trailers: The fields.
    /// - Throws: `badResponse` for an invalid field and before ``begin(_:)``, and the reason of the end of the attempt.
    public func write(trailers: Headers) async throws(NetworkError) {
        try await attempt.write(trailers: trailers)
    }

    /// Performs the attempt with the engine, which writes the response.
    func performWithEngine() async throws(NetworkError) {
        try await attempt.performWithEngine()
    }

    /// Sets the times of the attempt in place of the measured ones, also for an attempt that fails.
    ///
    /// - Parameter timing: The times.
    package func record(_ timing: TransportTiming) async {
        await attempt.record(timing)
    }
}

/// The times of an attempt that a ``Transport`` measured or made up, since the start of the attempt.
package struct TransportTiming: Hashable, Sendable {
    /// The name was resolved; nil where none was.
    package var nameLookup: Duration?
    /// The connection was established; nil on a reused connection.
    package var connect: Duration?
    /// The TLS handshake was complete; nil without TLS or on a reused connection.
    package var tls: Duration?
    /// The first byte of the response arrived.
    package var firstByte: Duration?
    /// The attempt ended; nil for the time that the client measures.
    package var total: Duration?

    /// Creates times.
    ///
    /// - Parameters:
    ///   - nameLookup: The name was resolved; nil where none was.
    ///   - connect: The connection was established; nil on a reused connection.
    ///   - tls: The TLS handshake was complete; nil without TLS or on a reused connection.
    ///   - firstByte: The first byte of the response arrived.
    ///   - total: The attempt ended; nil for the time that the client measures.
    package init(nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, firstByte: Duration? = nil, total: Duration? = nil) {
        (self.nameLookup, self.connect, self.tls, self.firstByte, self.total) = (nameLookup, connect, tls, firstByte, total)
    }

    /// Writes the times that are given.
    func write(to timing: inout Timing) {
        func seconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e9 }
        if let nameLookup { timing.nameLookup = seconds(nameLookup) }
        if let connect { timing.connect = seconds(connect) }
        if let tls { timing.tls = seconds(tls) }
        if let firstByte { timing.firstByte = seconds(firstByte) }
        if let total { timing.total = seconds(total) }
    }
}
