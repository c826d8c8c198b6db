internal import CLinux
internal import Glibc
internal import Model
internal import Synchronization
internal import Workbench

/// Actions on their way to the main thread, and the descriptor that wakes it.
final class Mailbox: Sendable {
    /// Becomes readable when something was posted.
    let descriptor: Int32
    private let actions = Mutex<[Action]>([])

    init() throws {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw CommandFailure(.file, "no file descriptors are left") }
    }

    deinit {
        close(descriptor)
    }

    /// Leaves an action; the first one since the last ``take()`` wakes the main thread.
    func post(_ action: Action) {
        let isFirst = actions.withLock { actions in
            let isFirst = actions.isEmpty
            // Of a call's progress only the latest matters; a fast transfer must not make a long queue.
            if let last = actions.last, action.replaces(last) { actions.removeLast() }
            actions.append(action)
            return isFirst
        }
        guard isFirst else { return }
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Takes everything that was posted.
    func take() -> [Action] {
        var value: UInt64 = 0
        read(descriptor, &value, 8)
        return actions.withLock { actions in
            defer { actions = [] }
            return actions
        }
    }
}

extension Action {
    /// Whether a person learns nothing from `earlier` once this has happened.
    fileprivate func replaces(_ earlier: Action) -> Bool {
        guard case .call(let id, let event) = self, case .call(id, let before) = earlier else { return false }
        switch (event, before) {
        case (.progressed, .progressed), (.grew, .grew): return true
        default: return false
        }
    }
}
