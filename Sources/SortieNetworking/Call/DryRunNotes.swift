internal import SortieHTTP
internal import Synchronization

/// The decisions and the signature of a dry run; may be written from any thread.
final class DryRunNotes: Sendable {
    private struct State {
        var decisions: [Decision] = []
        var signed: SignedText?
    }

    private let state = Mutex(State())

    func note(_ decision: Decision) { state.withLock { $0.decisions.append(decision) } }

    func note(_ signed: SignedText) { state.withLock { $0.signed = signed } }

    /// The decisions in order.
    var decisions: [Decision] { state.withLock { $0.decisions } }

    /// The signed text; nil without a signature.
    var signed: SignedText? { state.withLock { $0.signed } }
}
