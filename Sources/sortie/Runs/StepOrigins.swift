internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization
internal import WorkspaceModel

/// Records from which origins the captured values of a run's steps came, as far as this program sent the steps.
final class StepOrigins: Sendable {
    private let permission: WorkspacePermission
    /// The requests of the steps whose responses are evaluated, by index.
    private let requests = Mutex<[Int: Request]>([:])

    init(_ permission: WorkspacePermission) { self.permission = permission }

    /// Takes the next event of the run; the exchange of a step is reported before its captures.
    func note(_ event: RunEvent) {
        switch event {
        case .call(let index, .finished(let exchange)): requests.withLock { $0[index] = exchange.request }
        case .step(let index, let step):
            guard step.state.isEnd, let request = requests.withLock({ $0.removeValue(forKey: index) }) else { return }
            permission.note(step.captures.values, from: request)
        default: break
        }
    }
}
