internal import SortieBase
internal import SortieHTTP

/// Converts the messages of a gRPC response to JSON while they arrive, and passes the text to another sink.
///
/// A body that is not gRPC, such as the error page of a proxy, is passed as it is. Each message is converted at once on the thread of the engine, which
/// bounds the largest one.
struct GRPCBody: BodySink {
    /// The largest accepted message in bytes.
    static let messageLimit = 16 << 20

    private let messages: GRPCMessages
    private var body: any BodySink
    private var frames = GRPCFrames(limit: messageLimit)
    private var isConverted = false
    private var messageCount = 0
    private var isEnded = false
    /// Why the end of the body could not be converted.
    private var endFailure: NetworkError?

    init(_ body: any BodySink, _ messages: GRPCMessages) {
        self.messages = messages
        self.body = body
    }

    var count: Int64 { body.count }
    var view: BodyBytes { body.view }
    var isBehind: Bool { body.isBehind }
    var failure: NetworkError? { body.failure ?? endFailure }
    var beginsWithHeader: Bool { body.beginsWithHeader }

    mutating func begin(_ header: HeaderBytes) throws(NetworkError) {
        isConverted = header.block.response.isGRPC
        try body.begin(header)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        guard isConverted else { return try body.append(bytes, whenDrained: whenDrained) }
        var mustWait = false
        for text in try texts(bytes) { if try write(text, whenDrained) { mustWait = true } }
        return mustWait
    }

    /// The texts of the messages that the bytes complete.
    private mutating func texts(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) -> [String] {
        let isStream = messages.method.isServerStreaming
        do throws(ProtobufError) {
            var texts: [String] = []
            for message in try frames.append(bytes) {
                guard isStream || messageCount == 0 else { throw ProtobufError("the server sent another message, where one was expected") }
                texts.append((isStream ? messageCount == 0 ? "[\n" : ",\n" : "") + (try messages.json(message)))
                messageCount += 1
            }
            return texts
        } catch { throw NetworkError(.badResponse, "the response has an invalid message: \(error)") }
    }

    private mutating func write(_ text: String, _ whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(NetworkError) in
            try body.append(UnsafeRawBufferPointer(bytes), whenDrained: whenDrained)
        }
    }

    mutating func flush() {
        if isConverted, !isEnded {
            isEnded = true
            if frames.hasRest { endFailure = NetworkError(.truncatedBody, "the response ended in the middle of a message") }
            if messages.method.isServerStreaming, messageCount > 0 {
                do throws(NetworkError) { _ = try write("\n]") {} } catch { endFailure = endFailure ?? error }
            }
        }
        body.flush()
    }

    func waitUntilWritten() { body.waitUntilWritten() }

    func finish() async throws(NetworkError) {
        try await body.finish()
        if let endFailure { throw endFailure }
    }
}
