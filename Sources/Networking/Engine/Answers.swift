/// Answers of calls on their way to who asked, handed over together once a pass.
///
/// Each hand-over may wake a thread of Swift's pool, which then runs dry and sleeps again before the next one; together they cost one wake-up.
@Engine
final class Answers {
    static let shared = Answers()

    private var waiting: [() -> Void] = []

    /// Notes an answer; it is given before the loop waits again.
    func add(_ answer: @escaping () -> Void) {
        waiting.append(answer)
    }

    /// Gives all answers.
    func give() {
        guard !waiting.isEmpty else { return }
        let answers = waiting
        waiting.removeAll(keepingCapacity: true)
        for answer in answers { answer() }
    }
}
