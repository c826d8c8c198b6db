internal import SortieHTTP
internal import Synchronization

/// What is noted while a dry run takes its way; anybody may write.
final class DryRunNotes: Sendable {
    private struct State {
        var decisions: [Decision] = []
        var signed: SignedText?
    }

    private let state = Mutex(State())

    func note(_ decision: Decision) { state.withLock { $0.decisions.append(decision) } }

    func note(_ signed: SignedText) { state.withLock { $0.signed = signed } }

    /// The decisions in their order.
    var decisions: [Decision] { state.withLock { $0.decisions } }

    /// What the signature was made of; nil without one.
    var signed: SignedText? { state.withLock { $0.signed } }
}
