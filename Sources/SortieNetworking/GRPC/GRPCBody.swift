internal import Dispatch
internal import SortieBase
internal import SortieHTTP
internal import Synchronization

/// Converts the messages of a gRPC response to JSON while they arrive, and passes the text to another sink.
///
/// A body that is not gRPC, such as the error page of a proxy, is passed as it is. Small messages are converted at once. A large or compressed one would
/// delay the other transfers of the engine's thread and is converted on a queue, as are those that follow before its end.
final class GRPCBody: BodySink {
    /// The largest accepted message in bytes.
    static let messageLimit = 16 << 20
    /// The size in bytes of the messages of one piece up to which they are converted at once.
    static let largestAtOnce = 64 << 10
    /// The size in bytes of the messages that wait to be converted from which a sender that cannot be paused waits.
    private static let highWater = 2 * messageLimit

    fileprivate struct State {
        var body: any BodySink
        var frames = GRPCFrames(limit: messageLimit)
        var isConverted = false
        /// The coding of compressed messages; nil where the response names none.
        var encoding: String?
        var messageCount = 0
        var isEnded = false
        /// The number of bytes of the messages that wait on the queue.
        var pending = 0
        /// Why a message, or the end of the body, could not be converted.
        var failure: NetworkError?
    }

    private let messages: GRPCMessages
    private let queue = DispatchQueue(label: "sortie.grpc")
    private let state: Mutex<State>

    init(_ body: any BodySink, _ messages: GRPCMessages) {
        self.messages = messages
        state = Mutex(State(body: body))
    }

    var count: Int64 { state.withLock { $0.body.count } }
    var view: BodyBytes { state.withLock { $0.body.view } }
    var isBehind: Bool { state.withLock { $0.pending > 0 || $0.body.isBehind } }
    var failure: NetworkError? { state.withLock { $0.body.failure ?? $0.failure } }
    var beginsWithHeader: Bool { state.withLock { $0.body.beginsWithHeader } }

    func begin(_ header: HeaderBytes) throws(NetworkError) {
        try state.withLock { state throws(NetworkError) in
            state.isConverted = header.block.response.isGRPC
            state.encoding = header.block.headers["grpc-encoding"]
            try state.body.begin(header)
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        try state.withLock { state throws(NetworkError) in
            guard state.isConverted else { return try state.body.append(bytes, whenDrained: whenDrained) }
            if let failure = state.failure { throw failure }
            let complete: [GRPCFrames.Message]
            do throws(ProtobufError) { complete = try state.frames.take(bytes) } catch { throw Self.invalid(error) }
            let size = complete.reduce(0) { $0 + $1.bytes.count }
            guard size > Self.largestAtOnce || state.pending > 0 || complete.contains(where: \.isCompressed) else {
                var mustWait = false
                for message in complete {
                    if try state.write(try Self.json(message.bytes, messages), of: messages, whenDrained) { mustWait = true }
                }
                return mustWait
            }
            state.pending += size
            queue.async { [self, encoding = state.encoding] in convert(complete, encoding, whenDrained) }
            return true
        }
    }

    /// Converts messages on the queue, and lets the sender continue unless the other sink does that later.
    private func convert(_ complete: [GRPCFrames.Message], _ encoding: String?, _ whenDrained: @escaping @Sendable () -> Void) {
        var mustWait = false
        do throws(NetworkError) {
            for message in complete {
                guard state.withLock({ $0.failure }) == nil else { break }
                // Outside of the lock, for which the engine waits.
                let content: ArraySlice<UInt8>
                do throws(ProtobufError) { content = try message.content(encoding, limit: Self.messageLimit) } catch { throw Self.invalid(error) }
                let text = try Self.json(content, messages)
                let isFull = try state.withLock { state throws(NetworkError) in try state.write(text, of: messages, whenDrained) }
                if isFull { mustWait = true }
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            mustWait = false
        }
        state.withLock { $0.pending -= complete.reduce(0) { $0 + $1.bytes.count } }
        if !mustWait { whenDrained() }
    }

    func flush() {
        let isPending = state.withLock { state in
            if state.pending == 0 { state.end(messages) }
            return state.pending > 0
        }
        if isPending { queue.async { [self] in state.withLock { $0.end(messages) } } }
    }

    func waitUntilWritten() {
        if state.withLock({ $0.pending }) > Self.highWater { queue.sync {} }
        state.withLock { $0.body }.waitUntilWritten()
    }

    func finish() async throws(NetworkError) {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
        let (body, failure) = state.withLock { ($0.body, $0.failure) }
        try await body.finish()
        if let failure { throw failure }
    }

    private static func json(_ message: ArraySlice<UInt8>, _ messages: GRPCMessages) throws(NetworkError) -> String {
        do throws(ProtobufError) { return try messages.json(message) } catch { throw invalid(error) }
    }

    private static func invalid(_ error: ProtobufError) -> NetworkError {
        NetworkError(.badResponse, "the response has an invalid message: \(error)")
    }
}

extension GRPCFrames.Message {
    /// The value of `grpc-accept-encoding`: some servers compress whatever a client accepts.
    static let offer = "gzip, deflate"

    /// The bytes of the message, decompressed (gRPC over HTTP/2, “Message-Encoding”).
    ///
    /// - Parameters:
    ///   - encoding: The value of `grpc-encoding`.
    ///   - limit: The largest accepted size.
    func content(_ encoding: String?, limit: Int) throws(ProtobufError) -> ArraySlice<UInt8> {
        guard isCompressed else { return bytes }
        guard let coding = encoding.flatMap({ ContentCoding(named: $0) }), coding == .gzip || coding == .deflate else {
            throw ProtobufError("the server compressed a message with \(encoding ?? "a coding that it does not name"), which was not offered")
        }
        guard let stage = InflatingStage(coding == .gzip ? .gzip : .zlibOrNone) else { throw ProtobufError("no memory to decompress a message") }
        var content: [UInt8] = []
        do throws(InflatingStage.Failure) { try stage.decode(bytes, into: &content, limit: limit) } catch {
            switch error {
            case .limit: throw ProtobufError("a compressed message has more than \(ByteCount(limit).text)")
            case .data(let reason): throw ProtobufError("a compressed message is damaged: \(reason)")
            }
        }
        guard stage.mayEnd else { throw ProtobufError("the data of a compressed message ends early") }
        return content[...]
    }
}

extension GRPCBody.State {
    /// Writes the JSON of the next message, as an item of a list where the server streams.
    fileprivate mutating func write(
        _ json: String, of messages: GRPCMessages, _ whenDrained: @escaping @Sendable () -> Void
    ) throws(NetworkError) -> Bool {
        let isStream = messages.method.isServerStreaming
        guard isStream || messageCount == 0 else {
            throw NetworkError(.badResponse, "the response has an invalid message: the server sent another message, where one was expected")
        }
        let start = isStream ? messageCount == 0 ? "[\n" : ",\n" : ""
        messageCount += 1
        return try write(start + json, whenDrained)
    }

    /// Ends the list, once.
    fileprivate mutating func end(_ messages: GRPCMessages) {
        if isConverted, !isEnded {
            isEnded = true
            if frames.hasRest { failure = failure ?? NetworkError(.truncatedBody, "the response ended in the middle of a message") }
            if messages.method.isServerStreaming, messageCount > 0 {
                do throws(NetworkError) { _ = try write("\n]") {} } catch { failure = failure ?? error }
            }
        }
        body.flush()
    }

    private mutating func write(_ text: String, _ whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(NetworkError) in
            try body.append(UnsafeRawBufferPointer(bytes), whenDrained: whenDrained)
        }
    }
}

extension TransferRequest {
    /// Whether the body has messages of gRPC, also those of a question to the reflection of a server.
    var isGRPC: Bool { options.grpc != nil || headers["Content-Type"] == GRPCRequest.contentType }
}

/// What a request needs for a call of gRPC (gRPC over HTTP/2, “Requests”).
enum GRPCRequest {
    static let contentType = "application/grpc+proto"

    /// Sets the path, the version, the method and the fields.
    ///
    /// - Parameters:
    ///   - path: The method; nil leaves the path as it is.
    ///   - seconds: The time that is left for the call; nil for no limit.
    static func prepare(_ request: inout Request, _ path: GRPCMethodPath? = nil, secondsLeft seconds: Double?) {
        if let path {
            request.url = request.url.calling(path)
            request.otherServers = request.otherServers.map { $0.calling(path) }
        }
        request.method = .post
        request.options.version = .http2
        // A status of gRPC is in the trailer, which the cache does not have.
        request.options.cacheLifetime = nil
        request.headers["Content-Type"] = contentType
        request.headers["TE"] = "trailers"
        if !request.headers.contains("grpc-accept-encoding") { request.headers["grpc-accept-encoding"] = GRPCFrames.Message.offer }
        request.headers["Accept-Encoding"] = nil
        request.options.decompresses = false
        if let seconds, !request.headers.contains("grpc-timeout") { request.headers["grpc-timeout"] = timeout(seconds) }
    }

    /// A time limit with at most eight digits.
    private static func timeout(_ seconds: Double) -> String {
        let milliseconds = max(1, (seconds * 1000).rounded(.up))
        if milliseconds < 100_000_000 { return "\(Int(milliseconds))m" }
        return "\(Int(min(milliseconds / 1000, 99_999_999)))S"
    }
}
