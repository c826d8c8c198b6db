internal import Synchronization

/// A wait for the value of a task that others may wait for, too: it ends with the cancellation of the waiting task, and the other task continues.
final class CancellableWait<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, Never>)
        case ended(Value)
    }

    private let state = Mutex(State.idle)

    /// Waits for the value of a task.
    ///
    /// - Parameter cancelled: The value where the waiting task is cancelled before.
    func value(of task: Task<Value, Never>, cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended: Value? = state.withLock { state in
                    if case .ended(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let ended { return continuation.resume(returning: ended) }
                Task { end(await task.value) }
            }
        } onCancel: {
            end(cancelled)
        }
    }

    private func end(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .ended: return nil
            case .idle:
                state = .ended(value)
                return nil
            case .waiting(let continuation):
                state = .ended(value)
                return continuation
            }
        }
        continuation?.resume(returning: value)
    }
}
