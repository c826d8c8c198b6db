internal import Synchronization

/// How far a response body may be ahead of its consumer, which writes it somewhere while it arrives.
///
/// Without it, an endless body would fill the disk while a terminal shows its beginning. It has no effect before ``begin()``.
///
/// Bytes that wait are on the disk (``SpoolFile``). Over HTTP/2 the connection, which serves only this call, is not read meanwhile.
package final class BodyDemand: Sendable {
    private struct State {
        /// The number of bytes that the consumer has taken; nil where it takes none.
        var taken: Int64?
        /// Resumes the paused transfer.
        var resume: (@Sendable () -> Void)?
    }

    /// The number of bytes that may wait for the consumer before the transfer is paused.
    private let window: Int64
    private let state = Mutex(State())

    /// - Parameter window: The number of bytes that may wait for the consumer. It is large, because the time limit of a call also runs while it is
    ///   paused: other bodies are complete before a person has read them.
    package init(window: Int64 = 256 << 20) { self.window = window }

    /// Whether the transfer must wait until `resume` is called, because the consumer is behind.
    ///
    /// - Parameter count: The number of bytes received so far.
    func mustWait(at count: Int64, resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard let taken = state.taken, count - taken >= window else { return false }
            state.resume = resume
            return true
        }
    }

    /// Begins a body, of which the consumer has taken nothing.
    package func begin() { state.withLock { $0.taken = 0 } }

    /// Records the number of bytes that the consumer has taken.
    package func take(upTo count: Int) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            state.taken = Int64(count)
            return state.resume.take()
        }
        // The next bytes pause the transfer again where it is still ahead.
        resume?()
    }

    /// Ends the limit: the consumer takes nothing more.
    package func end() {
        let resume = state.withLock { state in
            state.taken = nil
            return state.resume.take()
        }
        resume?()
    }
}
