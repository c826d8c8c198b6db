internal import Model
internal import Synchronization

/// Takes the body of one attempt: decides by the header what it is good for, then hands it to the writer (§5.4).
final class DownloadBody: BodySink {
    /// An answer that was looked at.
    struct Seen: Sendable {
        let status: Int
        let headers: Headers
        let answer: ResumeAnswer
    }

    private struct State {
        var seen: Seen?
        /// The file's byte with which the body began.
        var first: Int64 = 0
        /// The byte after the last one that may come.
        var end: Int64?
        var count: Int64 = 0
        var chunk: Chunk?
        var chunkStartedAt: UInt64 = 0
        /// The body of an answer that is no file.
        var message: [UInt8] = []
        var isTooLong = false
    }

    private let question: ResumeQuestion
    private let mayAskAgain: Bool
    private let mayRestart: Bool
    private let writer: DownloadWriter
    private let limiters: [RateLimiter]
    private let onAnswer: @Sendable (Seen) -> Void
    private let onReplace: @Sendable (Headers, inout DownloadManifest) -> Void
    private let state = Mutex(State())

    /// How much is kept of an answer that is no file, and how much is taken of it, so that its connection can be used again.
    private static let mostMessage = 64 << 10
    private static let mostDropped = 1 << 20
    /// For how long bytes are collected before they are written.
    private static let patience: UInt64 = 500_000_000

    /// The receiver of the answer to `question`.
    ///
    /// - Parameters:
    ///   - mayAskAgain: whether the question may be asked without its condition.
    ///   - mayRestart: whether the download may begin again.
    ///   - onAnswer: called on the engine's thread when the header was looked at.
    ///   - onReplace: what is to be noted when the whole file comes, called on no particular thread.
    init(
        question: ResumeQuestion, mayAskAgain: Bool, mayRestart: Bool, writer: DownloadWriter, limiters: [RateLimiter],
        onAnswer: @escaping @Sendable (Seen) -> Void, onReplace: @escaping @Sendable (Headers, inout DownloadManifest) -> Void
    ) {
        self.onReplace = onReplace
        self.question = question
        self.mayAskAgain = mayAskAgain
        self.mayRestart = mayRestart
        self.writer = writer
        self.limiters = limiters
        self.onAnswer = onAnswer
    }

    /// The answer, once its header came.
    var seen: Seen? { state.withLock { $0.seen } }
    /// Whether more came than was announced.
    var isTooLong: Bool { state.withLock { $0.isTooLong } }
    /// How many bytes of the file are here, those that wait for the disk included.
    var reached: Int64 {
        let reached = state.withLock { $0.seen == nil ? 0 : $0.first + $0.count }
        return max(reached, writer.written)
    }

    var count: Int64 { state.withLock { $0.count } }
    var view: BodyBytes { state.withLock { BodyBytes($0.message) } }
    var isBehind: Bool { writer.isBehind }
    var failure: NetworkError? { writer.failure }

    func begin(_ header: HeaderBlock) throws(NetworkError) {
        let answer = ResumeAnswer(to: question, status: header.status, headers: header.headers, mayAskAgain: mayAskAgain)
        let seen = Seen(status: header.status, headers: header.headers, answer: answer)
        state.withLock { $0.seen = seen }
        onAnswer(seen)
        switch answer {
        case .append(let first, let end, let total):
            state.withLock {
                $0.first = first
                $0.end = end
            }
            writer.note { $0.total = total ?? $0.total }
            writer.goOn(from: first)
        case .replace(let total, let reason):
            guard reason == nil || mayRestart else { throw Self.notUsed("it would begin again once too often") }
            state.withLock { $0.end = total }
            writer.replace(header.headers, total: total) { [onReplace] in
                $0.expectedDigest = FileDigest(seen.headers, isWhole: true)?.hexadecimal
                onReplace(seen.headers, &$0)
            }
        case .startOver(let reason): throw Self.notUsed(reason.text)
        case .askWithoutCondition: throw Self.notUsed("the server takes the condition for a no")
        case .complete: throw Self.notUsed("nothing is missing")
        case .tryLater, .refuse: break
        }
    }

    private static func notUsed(_ reason: String) -> NetworkError {
        NetworkError(.badResponse, "the answer is not used: \(reason)")
    }

    func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        if let failure = writer.failure { throw failure }
        let now = PassClock.now
        let result: Result<Bool, NetworkError> = state.withLock { state in
            state.count += Int64(bytes.count)
            switch state.seen?.answer {
            case .append, .replace: return take(bytes, &state, now: now, whenDrained: whenDrained)
            default:
                state.message.append(contentsOf: bytes.prefix(max(0, Self.mostMessage - state.message.count)))
                return state.count > Self.mostDropped ? .failure(Self.notUsed("it is no file")) : .success(false)
            }
        }
        let mustWait = try result.get()
        let pause = limiters.compactMap { $0.take(bytes.count, now: now) }.max()
        if let pause { Engine.assumeIsolated { Alarms.shared.set(Alarms.ID(), at: pause, action: whenDrained) } }
        return mustWait || pause != nil
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ state: inout State, now: UInt64, whenDrained: @escaping @Sendable () -> Void
    ) -> Result<Bool, NetworkError> {
        if let end = state.end, state.first + state.count > end {
            state.isTooLong = true
            return .failure(NetworkError(.badResponse, "more came than was announced"))
        }
        let chunk = state.chunk ?? writer.chunk()
        if state.chunk == nil {
            state.chunk = chunk
            state.chunkStartedAt = now
        }
        chunk.append(bytes)
        guard chunk.isFull || now >= state.chunkStartedAt + Self.patience else { return .success(false) }
        return .success(hand(over: &state, whenDrained: whenDrained))
    }

    private func hand(over state: inout State, whenDrained: @escaping @Sendable () -> Void) -> Bool {
        guard let chunk = state.chunk else { return false }
        state.chunk = nil
        return writer.write(chunk, whenDrained: whenDrained)
    }

    func flush() {
        state.withLock { state in _ = hand(over: &state) {} }
    }

    /// Hands on what was collected for long, when nothing more comes.
    func flushIfOld() {
        let now = MonotonicClock.now
        state.withLock { state in
            if state.chunk != nil, now >= state.chunkStartedAt + Self.patience { _ = hand(over: &state) {} }
        }
    }

    func waitUntilWritten() {
        writer.waitUntilWritten()
    }

    func finish() async throws(NetworkError) {
        await writer.settle()
        if let failure = writer.failure { throw failure }
    }
}
