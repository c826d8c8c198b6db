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
    func add(_ completion: @escaping () -> Void) {
        waiting.append(completion)
    }

    /// Delivers all completions.
    func give() {
        guard !waiting.isEmpty else { return }
        let completions = waiting
        waiting.removeAll(keepingCapacity: true)
        for completion in completions { completion() }
    }
}
