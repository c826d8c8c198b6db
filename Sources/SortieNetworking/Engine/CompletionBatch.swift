internal import DequeModule

/// Outcomes of transfers that the engine delivers together, once per pass of its loop.
///
/// Each delivery may wake a thread of Swift's pool, which then runs out of work and sleeps again before the next
/// delivery. Delivering them together costs one wake-up.
@Engine
final class CompletionBatch {
    static let shared = CompletionBatch()

    @exclusivity(unchecked) private var waiting = Deque<(outcome: TransferOutcome, receiver: UnsafeContinuation<TransferOutcome, Never>)>()

    /// Adds an outcome.
    ///
    /// It is delivered before the loop waits again.
    func add(_ outcome: consuming TransferOutcome, for receiver: UnsafeContinuation<TransferOutcome, Never>) {
        waiting.append((outcome, receiver))
    }

    /// Delivers all outcomes.
    func give() {
        // Moved out of the queue, because a copy of an outcome retains what it refers to.
        while let (outcome, receiver) = waiting.popFirst() { receiver.resume(returning: outcome) }
    }
}
