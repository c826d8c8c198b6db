internal import SortieHTTP

/// The sink of one attempt of a streamed call: passes the head and the bytes to the consumer.
struct StreamBody: BodySink {
    private let pipe: ResponsePipe
    private(set) var count: Int64 = 0

    /// Begins an attempt.
    init(_ pipe: ResponsePipe) {
        self.pipe = pipe
        pipe.beginAttempt()
    }

    var beginsWithHeader: Bool { true }
    /// The body of a response that a step of the path may still inspect; empty for one that is delivered.
    var view: BodyBytes { BodyBytes(pipe.heldBody) }
    var isBehind: Bool { false }
    var failure: NetworkError? { nil }

    func begin(_ header: HeaderBytes) throws(NetworkError) {
        try pipe.begin(header.response)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        count += Int64(bytes.count)
        return try pipe.append(bytes, whenDrained: whenDrained)
    }

    func flush() {}

    func waitUntilWritten() {}

    func finish() async throws(NetworkError) {}
}
