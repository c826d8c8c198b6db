internal import SortieHTTP
internal import Synchronization

/// Receives the body of one attempt: passes the header to `judge`, then hands the bytes to the writer (`ResumeRules.md` 5.4).
final class DownloadBody: BodySink {
    /// A response header and the decision about it.
    struct Seen: Sendable {
        let status: Int
        let headers: Headers
        let answer: RangeDecision
    }

    /// The range of the file that the body carries.
    struct Content: Sendable {
        let first: Int64
        /// The offset after the last byte that may arrive; nil while the length is unknown.
        let end: Int64?
    }

    private struct State {
        var seen: Seen?
        /// Nil for a body that is not part of the file.
        var content: Content?
        var count: Int64 = 0
        var chunk: Chunk?
        var chunkStartedAt: UInt64 = 0
        var isFlushSet = false
        /// The body of a response that is not part of the file.
        var message: [UInt8] = []
        var isTooLong = false
        var hasEnough = false
    }

    /// The segment of the file that this attempt fetches.
    let segment: SegmentMap.ID
    private let rangeRequest: RangeRequest
    private let mayAskAgain: Bool
    private let writer: DownloadWriter
    private let limiters: [RateLimiter]
    private let judge: @Sendable (Seen) throws(NetworkError) -> Content?
    private let state = Mutex(State())

    /// The number of bytes kept of a body that is not part of the file, and the number read so that its connection can be reused.
    private static let mostMessage = 64 << 10
    private static let mostDropped = 1 << 20
    /// How long bytes are collected before they are written, in nanoseconds.
    private static let patience: UInt64 = 100_000_000

    /// Creates the sink for the response to `rangeRequest`, which fetches `segment`.
    ///
    /// - Parameters:
    ///   - mayAskAgain: Whether the request may be repeated without its condition.
    ///   - judge: Called on the engine's thread when the header has arrived; returns the bytes to take, nil for a body that is not part of the file.
    init(
        rangeRequest: RangeRequest, segment: SegmentMap.ID, mayAskAgain: Bool, writer: DownloadWriter, limiters: [RateLimiter],
        judge: @escaping @Sendable (Seen) throws(NetworkError) -> Content?
    ) {
        (self.rangeRequest, self.segment, self.mayAskAgain, self.writer, self.limiters) = (rangeRequest, segment, mayAskAgain, writer, limiters)
        self.judge = judge
    }

    /// The response header and the decision about it; nil before the header has arrived.
    var seen: Seen? { state.withLock { $0.seen } }
    /// Whether more bytes arrived than the header announced.
    var isTooLong: Bool { state.withLock { $0.isTooLong } }
    /// Whether the transfer was ended because another connection fetches the rest, or because nothing is missing.
    var hasEnough: Bool { state.withLock { $0.hasEnough } }
    var count: Int64 { state.withLock { $0.count } }
    var view: BodyBytes { state.withLock { BodyBytes($0.message) } }
    var isBehind: Bool { writer.isBehind }
    var failure: NetworkError? { writer.failure }

    func begin(_ header: HeaderBytes) throws(NetworkError) {
        let header = header.block
        let decision = RangeDecision(to: rangeRequest, status: header.status, headers: header.headers, mayAskAgain: mayAskAgain)
        let seen = Seen(status: header.status, headers: header.headers, answer: decision)
        state.withLock { $0.seen = seen }
        let content = try judge(seen)
        state.withLock { $0.content = content }
    }

    /// The error for a response whose body is not read.
    static func notUsed(_ reason: String) -> NetworkError {
        NetworkError(.badResponse, "the response is not used: \(reason)")
    }

    func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        if let failure = writer.failure { throw failure }
        let now = LoopClock.now
        let result: Result<Bool, NetworkError> = state.withLock { state in
            if let content = state.content { return take(bytes, content, &state, now: now, whenDrained: whenDrained) }
            state.count += Int64(bytes.count)
            state.message.append(contentsOf: bytes.prefix(max(0, Self.mostMessage - state.message.count)))
            return state.count > Self.mostDropped ? .failure(Self.notUsed("the response is not the file")) : .success(false)
        }
        let mustWait = try result.get()
        let pause = limiters.compactMap { $0.take(bytes.count, now: now) }.max()
        if let pause {
            Engine.assumeIsolated { TimerQueue.shared.set(TimerQueue.ID(), at: pause, action: whenDrained) }
            for limiter in limiters { limiter.note(self, goOn: whenDrained) }
        }
        return mustWait || pause != nil
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ content: Content, _ state: inout State, now: UInt64, whenDrained: @escaping @Sendable () -> Void
    ) -> Result<Bool, NetworkError> {
        let offset = content.first + state.count
        state.count += Int64(bytes.count)
        if let end = content.end, content.first + state.count > end {
            state.isTooLong = true
            return .failure(NetworkError(.badResponse, "more bytes arrived than announced"))
        }
        let chunk = state.chunk ?? writer.chunk(at: Chunk.Place(segment: segment, offset: offset))
        if state.chunk == nil {
            state.chunk = chunk
            state.chunkStartedAt = now
            setFlush(&state)
        }
        chunk.append(bytes)
        guard chunk.isFull, !isComparing(state) else { return .success(false) }
        switch hand(over: &state, whenDrained: whenDrained) {
        case .more: return .success(false)
        case .later: return .success(true)
        case .enough:
            // All requested bytes arrived: the transfer ends normally, so the connection can be reused.
            guard content.first + state.count != content.end else { return .success(false) }
            state.hasEnough = true
            return .failure(NetworkError(.cancelled, "another connection fetches the rest"))
        }
    }

    /// Whether the bytes that are only compared have arrived in part.
    ///
    /// They are handed over together with the last bytes of the segment, which is not complete before they are compared.
    private func isComparing(_ state: State) -> Bool {
        guard rangeRequest.comparedAtEnd > 0, let end = rangeRequest.end, let content = state.content else { return false }
        let position = content.first + state.count
        return position >= end - rangeRequest.comparedAtEnd && position < min(end, content.end ?? end)
    }

    private func hand(over state: inout State, whenDrained: @escaping @Sendable () -> Void) -> DownloadWriter.Demand {
        guard let chunk = state.chunk else { return .more }
        state.chunk = nil
        return writer.write(chunk, whenDrained: whenDrained)
    }

    func flush() {
        for limiter in limiters { limiter.note(self, goOn: nil) }
        state.withLock { state in _ = hand(over: &state) {} }
    }

    // MARK: Flushing slow bodies

    /// Sets a timer that hands over the collected bytes even when no more arrive.
    private func setFlush(_ state: inout State) {
        guard !state.isFlushSet else { return }
        state.isFlushSet = true
        let time = state.chunkStartedAt + Self.patience
        Engine.assumeIsolated { TimerQueue.shared.set(TimerQueue.ID(), at: time) { [weak self] in self?.flushIfOld() } }
    }

    private func flushIfOld() {
        let now = MonotonicClock.now
        state.withLock { state in
            state.isFlushSet = false
            guard state.chunk != nil, !isComparing(state) else { return }
            // A fast body fills its chunks before the timer fires.
            if now >= state.chunkStartedAt + Self.patience { _ = hand(over: &state) {} } else { setFlush(&state) }
        }
    }

    func waitUntilWritten() {
        writer.waitUntilWritten()
    }

    func finish() async throws(NetworkError) {
        await writer.settle()
        if let failure = writer.failure { throw failure }
        // Without a Content-Length, only the range says how many bytes there are: an empty body would be requested again and again.
        guard let (length, count) = lengths, count < length else { return }
        throw NetworkError(.truncatedBody, "the body ended after \(count) of \(length) bytes, the length of the range in its header")
    }

    /// The length that the header announces, and the number of received bytes; nil where not all of them are wanted.
    private var lengths: (announced: Int64, received: Int64)? {
        state.withLock { state in
            guard !state.hasEnough, let content = state.content, let end = content.end else { return nil }
            return (end - content.first, state.count)
        }
    }
}
