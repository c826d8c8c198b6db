internal import SortieHTTP
internal import Synchronization
internal import WorkspaceModel

/// Reports the calls of a run whose steps have ended, so that they are recorded when the values that the steps captured are known as secrets.
final class StepCalls: Sendable {
    private let ended: @Sendable (RequestID) -> Void
    /// The calls that have ended, by the indices of their steps, which have not.
    private let calls = Mutex<[Int: [RequestID]]>([:])

    init(ended: @escaping @Sendable (RequestID) -> Void) {
        self.ended = ended
    }

    /// Processes an event; the captured values of a step that ends must be hidden before.
    func receive(_ event: RunEvent) {
        switch event {
        case .call(let index, .finished(let exchange)): calls.withLock { $0[index, default: []].append(exchange.id) }
        case .step(let index, let step):
            // A step that repeats, or reads pages, has several calls.
            if step.state.isEnd { calls.withLock { $0.removeValue(forKey: index) ?? [] }.forEach(ended) }
        case .call, .expanded, .paused, .finished: break
        }
    }
}
