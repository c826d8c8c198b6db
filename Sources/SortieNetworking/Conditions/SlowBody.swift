internal import SortieHTTP

/// A body sink that limits the rate and passes the bytes to another sink.
///
/// libcurl's own rate limit is not used: 7.88.1 exceeds it many times over.
struct SlowBody: BodySink {
    private var body: any BodySink
    private let limiter: RateLimiter

    init(_ body: any BodySink, limiter: RateLimiter) {
        self.body = body
        self.limiter = limiter
    }

    var count: Int64 { body.count }
    var view: BodyBytes { body.view }
    var isBehind: Bool { body.isBehind }
    var failure: NetworkError? { body.failure }
    var beginsWithHeader: Bool { body.beginsWithHeader }

    mutating func begin(_ header: HeaderBytes) throws(NetworkError) { try body.begin(header) }

    mutating func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        let mustWait = try body.append(bytes, whenDrained: whenDrained)
        guard let time = limiter.take(bytes.count, now: LoopClock.now) else { return mustWait }
        Engine.assumeIsolated { TimerQueue.shared.set(TimerQueue.ID(), at: time, action: whenDrained) }
        return true
    }

    mutating func flush() { body.flush() }

    func waitUntilWritten() { body.waitUntilWritten() }

    func finish() async throws(NetworkError) { try await body.finish() }
}
