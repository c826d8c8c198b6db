internal import CLinux
internal import Glibc
internal import Model
internal import Synchronization
internal import Workbench

/// Actions on their way to the main thread, and the descriptor that wakes it.
final class Mailbox: Sendable {
    /// Becomes readable when something was posted.
    let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        var actions: [Action] = []
        /// Where the progress of a call stands among them.
        var progress: [CallID: Int] = [:]
        var isWoken = false
    }

    init() throws {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw CommandFailure(.file, "no file descriptors are left") }
    }

    deinit {
        close(descriptor)
    }

    /// Leaves an action; the first one since the last ``take()`` wakes the main thread.
    ///
    /// Of a call's progress only the latest matters, and it wakes nobody: while something is in flight, time passes on the main thread anyway. So many
    /// fast transfers make neither a long queue nor more frames.
    func post(_ action: Action) {
        let mustWake = state.withLock { state in
            if let id = action.progressedCall {
                if let index = state.progress[id] {
                    state.actions[index] = action
                } else {
                    state.progress[id] = state.actions.count
                    state.actions.append(action)
                }
                return false
            }
            if let last = state.actions.last, action.replaces(last) { state.actions.removeLast() }
            state.actions.append(action)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        guard mustWake else { return }
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Takes everything that was posted.
    func take() -> [Action] {
        state.withLock { state in
            if state.isWoken {
                var value: UInt64 = 0
                read(descriptor, &value, 8)
            }
            defer { state = State() }
            return state.actions
        }
    }
}

extension Action {
    /// The call whose progress it tells.
    fileprivate var progressedCall: CallID? {
        switch self {
        case .call(let id, .progressed), .download(let id, .progressed): id
        default: nil
        }
    }

    /// Whether a person learns nothing from `earlier` once this has happened.
    fileprivate func replaces(_ earlier: Action) -> Bool {
        switch (self, earlier) {
        case (.call(let id, .grew), .call(let before, .grew)): id == before
        case (.capture(let id, .recorded), .capture(let before, .recorded)): id == before
        case (.monitored, .monitored), (.historyChanged, .historyChanged): true
        default: false
        }
    }
}
