internal import DequeModule
internal import SortieHTTP
internal import Synchronization

/// The response of a streamed call between the engine, which fills a buffer of limited size, and its consumer.
///
/// The head of a response below 400 is delivered as soon as it is complete; the call then has this response, and no step of its path repeats it. Other
/// responses are held until the call ends, because a step may repeat the request; one with a large body is delivered when the hold is full.
final class ResponsePipe: Sendable {
    private enum Step {
        case bytes([UInt8], resume: (@Sendable () -> Void)?)
        case end(NetworkError?)
        case wait
    }

    /// Throws the error of a response that the rules refuse.
    typealias HeadCheck = @Sendable (Response) throws(NetworkError) -> Void

    fileprivate struct State {
        typealias HeadWaiters = [CheckedContinuation<Result<Response, NetworkError>, Never>]

        /// The head that the consumer gets; nil before it is final.
        var head: Result<Response, NetworkError>?
        /// The head of a response that is held.
        var held: Response?
        var headWaiters: HeadWaiters = []
        /// The bytes that have arrived, in chunks, of which each is passed to the consumer without a copy.
        var chunks: Deque<[UInt8]> = []
        var byteCount = 0
        var end: Result<Void, NetworkError>?
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Resumes the paused transfer.
        var resume: (@Sendable () -> Void)?
        /// The rules for the responses of the call.
        var check: HeadCheck?
        /// Called once when a response is delivered.
        var onDelivery: (@Sendable () -> Void)?

        var hasNews: Bool { !chunks.isEmpty || end != nil }
    }

    private let state = Mutex(State())

    /// The number of buffered bytes from which on the transfer is paused, and the largest number of bytes of a chunk to which others are added.
    private static let capacity = 256 << 10
    /// The largest number of bytes of a held response.
    private static let holdCapacity = 64 << 10

    // MARK: The engine's side

    /// Whether a response is delivered, so that the request must not be repeated.
    var isCommitted: Bool { state.withLock { $0.head != nil } }

    /// Whether the whole body has arrived, or an error ended it.
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// The body of a held response.
    var heldBody: [UInt8] { state.withLock { $0.head == nil ? Array($0.chunks.joined()) : [] } }

    /// Begins an attempt; the response of an earlier one is discarded.
    func beginAttempt() {
        state.withLock { state in
            guard state.head == nil else { return }
            state.held = nil
            (state.chunks, state.byteCount) = ([], 0)
        }
    }

    /// Sets the rules for the responses of the call.
    func use(_ check: @escaping HeadCheck) { state.withLock { $0.check = check } }

    /// Calls `action` once when a response is delivered.
    func whenDelivered(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onDelivery = action } }

    /// Takes the head of a response.
    ///
    /// - Throws: The error of a response that the rules refuse.
    func begin(_ head: Response) throws(NetworkError) {
        guard head.status < 400 else { return state.withLock { $0.held = head } }
        try check(head)
        deliver(.success(head))
    }

    /// Checks a response before it is delivered.
    ///
    /// - Throws: The error of a response that the rules refuse.
    func check(_ head: Response) throws(NetworkError) {
        try state.withLock { $0.check }?(head)
    }

    /// Adds bytes of the body; returns whether the transfer must wait until `whenDrained` is called.
    ///
    /// - Throws: The error of a held response that the rules refuse, where its body is too large to be held.
    func append(_ bytes: UnsafeRawBufferPointer, whenDrained: @escaping @Sendable () -> Void) throws(NetworkError) -> Bool {
        let (full, waiters, mustWait) = state.withLock { state -> (Response?, [CheckedContinuation<Void, Never>], Bool) in
            if let last = state.chunks.indices.last, state.chunks[last].count + bytes.count <= Self.capacity {
                state.chunks[last].append(contentsOf: bytes)
            } else if !bytes.isEmpty {
                state.chunks.append(Array(bytes))
            }
            state.byteCount += bytes.count
            guard state.head != nil else { return (state.byteCount > Self.holdCapacity ? state.held : nil, [], false) }
            let mustWait = state.byteCount >= Self.capacity
            if mustWait { state.resume = whenDrained }
            return (nil, state.takeWaiters(), mustWait)
        }
        for waiter in waiters { waiter.resume() }
        if let full {
            try check(full)
            deliver(.success(full))
        }
        return mustWait
    }

    /// Ends the body of an attempt; has no effect where its response is held.
    func endAttempt(_ error: NetworkError?) {
        if isCommitted { end(error) }
    }

    /// Ends the call: delivers a held response, or the error.
    func end(_ exchange: Exchange) {
        if !isCommitted {
            if let error = exchange.error {
                deliver(.failure(error))
            } else if let response = exchange.response {
                deliver(.success(response.head))
            } else {
                deliver(.failure(NetworkError(.emptyResponse, "the server sent no response")))
            }
        }
        end(exchange.error)
    }

    private func end(_ error: NetworkError?) {
        let waiters = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            state.resume = nil
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func deliver(_ head: Result<Response, NetworkError>) {
        let (waiters, onDelivery) = state.withLock { state -> (State.HeadWaiters, (@Sendable () -> Void)?) in
            guard state.head == nil else { return ([], nil) }
            state.head = head
            defer { state.headWaiters = [] }
            return (state.headWaiters, state.onDelivery.take())
        }
        onDelivery?()
        for waiter in waiters { waiter.resume(returning: head) }
    }

    // MARK: The consumer's side

    /// The head of the response; waits until it is known.
    func head() async -> Result<Response, NetworkError> {
        await withCheckedContinuation { continuation in
            let head = state.withLock { state in
                if state.head == nil { state.headWaiters.append(continuation) }
                return state.head
            }
            if let head { continuation.resume(returning: head) }
        }
    }

    /// The bytes that have arrived, at least one; nil after the last one.
    func next() async -> Result<[UInt8]?, NetworkError> {
        while true {
            switch take() {
            case .bytes(let bytes, let resume):
                resume?()
                return .success(bytes)
            case .end(let error): return error.map { .failure($0) } ?? .success(nil)
            case .wait:
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if !state.hasNews { state.waiters.append(continuation) }
                        return state.hasNews
                    }
                    if isReady { continuation.resume() }
                }
            }
        }
    }

    private func take() -> Step {
        state.withLock { state in
            if let chunk = state.chunks.popFirst() {
                state.byteCount -= chunk.count
                return .bytes(chunk, resume: state.chunks.isEmpty ? state.resume.take() : nil)
            }
            guard let end = state.end else { return .wait }
            if case .failure(let error) = end { return .end(error) }
            return .end(nil)
        }
    }
}

extension ResponsePipe.State {
    fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] { Swift.exchange(&waiters, with: []) }
}
