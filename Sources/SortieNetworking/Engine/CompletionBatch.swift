/// Completions of transfers that the engine delivers together, once per pass of its loop.
///
/// Each delivery may wake a thread of Swift's pool, which then runs out of work and sleeps again before the next
/// delivery. Delivering them together costs one wake-up.
@Engine
final class CompletionBatch {
    static let shared = CompletionBatch()

    private var waiting: [() -> Void] = []

    /// Adds a completion.
    ///
    /// It is delivered before the loop waits again.
    func add(_ answer: @escaping () -> Void) {
        waiting.append(answer)
    }

    /// Delivers all completions.
    func give() {
        guard !waiting.isEmpty else { return }
        let answers = waiting
        waiting.removeAll(keepingCapacity: true)
        for answer in answers { answer() }
    }
}
