internal import SortieHTTP
internal import Synchronization

/// A request body that the program produces while it is sent.
///
/// The producer waits until the engine has taken its last bytes, so that at most one of its chunks is in memory. The body can be sent once.
final class RequestBodyStream: Sendable {
    fileprivate struct State {
        var chunk: ArraySlice<UInt8> = []
        /// The number of bytes that the producer supplied.
        var offered: Int64 = 0
        var taken: Int64 = 0
        var isEnded = false
        var failure: NetworkError?
        /// Whether the call has ended, so that no more bytes are needed.
        var isClosed = false
        var producer: CheckedContinuation<Void, Never>?
        /// Called when bytes, the end or a failure are there.
        var ready: (@Sendable () -> Void)?
    }

    /// The path that stands for such a body.
    static let path = "(streamed body)"

    /// The length in bytes; nil where it is unknown, so that the body is sent in chunked coding.
    let count: Int64?
    private let state = Mutex(State())

    init(count: Int64?) {
        self.count = count
    }

    // MARK: The producer

    /// Supplies bytes and waits until they are taken; returns false where no more are needed.
    func offer(_ bytes: [UInt8]) async -> Bool {
        guard !bytes.isEmpty else { return state.withLock { !$0.isClosed } }
        let ready = state.withLock { state -> (@Sendable () -> Void)? in
            state.offered += Int64(bytes.count)
            if let count, state.offered > count {
                state.failure = NetworkError(.invalidOption, "the request body has more than the declared \(count) bytes")
            } else {
                state.chunk = bytes[...]
            }
            return state.takeReady()
        }
        ready?()
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                let isDone = state.chunk.isEmpty || state.isClosed || state.failure != nil
                if !isDone { state.producer = continuation }
                return isDone
            }
            if isDone { continuation.resume() }
        }
        return state.withLock { !$0.isClosed && $0.failure == nil }
    }

    /// Ends the body.
    func end() {
        let ready = state.withLock { state in
            state.isEnded = true
            if let count, state.offered < count, state.failure == nil {
                state.failure = NetworkError(.invalidOption, "the request body has \(state.offered) of the declared \(count) bytes")
            }
            return state.takeReady()
        }
        ready?()
    }

    /// Fails the call.
    func fail(_ error: NetworkError) {
        let ready = state.withLock { state in
            state.failure = error
            return state.takeReady()
        }
        ready?()
    }

    /// Ends the wait of the producer, because the call has ended.
    func close() {
        let producer = state.withLock { state in
            state.isClosed = true
            return state.takeProducer()
        }
        producer?.resume()
    }

    // MARK: The engine

    /// Whether bytes were taken, which cannot be sent again.
    var isSpent: Bool { state.withLock { $0.taken > 0 } }

    /// Checks that an attempt can start with the first byte.
    func begin() throws(NetworkError) {
        guard isSpent else { return }
        throw NetworkError(
            .fileUnreadable, "the request body was already sent and cannot be produced again", hint: "send the bytes as a whole")
    }

    /// Fills `buffer` with the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> SentFile.Piece {
        let (piece, producer) = state.withLock { state -> (SentFile.Piece, CheckedContinuation<Void, Never>?) in
            if let failure = state.failure { return (.failed(failure), state.takeProducer()) }
            guard !state.chunk.isEmpty else { return (state.isEnded ? .end : .later, nil) }
            let size = min(buffer.count, state.chunk.count)
            state.chunk.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<size])) }
            state.chunk = state.chunk.dropFirst(size)
            state.taken += Int64(size)
            return (.bytes(size), state.chunk.isEmpty ? state.takeProducer() : nil)
        }
        producer?.resume()
        return piece
    }

    /// Calls `action` once when ``read(into:)`` has something to return, on any thread.
    func whenReady(_ action: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            let isReady = !state.chunk.isEmpty || state.isEnded || state.failure != nil
            if !isReady { state.ready = action }
            return isReady
        }
        if isReady { action() }
    }
}

extension RequestBodyStream.State {
    fileprivate mutating func takeReady() -> (@Sendable () -> Void)? { ready.take() }

    fileprivate mutating func takeProducer() -> CheckedContinuation<Void, Never>? { producer.take() }
}
