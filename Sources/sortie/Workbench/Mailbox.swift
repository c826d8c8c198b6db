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

    /// An event of a call that replaces an earlier one of its kind.
    struct ReplacedEvent: Hashable {
        enum Kind: Hashable { case progress, body, saved }

        var call: CallID
        var kind: Kind
    }

    private struct State {
        var actions: [Action] = []
        /// Where the latest event of a kind stands among them, where only the latest matters.
        var latest: [ReplacedEvent: Int] = [:]
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
            if let event = action.replacedEvent {
                if let index = state.latest[event] {
                    state.actions[index] = action
                    return false
                }
                state.latest[event] = state.actions.count
                if event.kind == .progress {
                    state.actions.append(action)
                    return false
                }
            } else if let id = action.call {
                // What comes after another event of the call does not take the place of what came before it.
                state.latest[ReplacedEvent(call: id, kind: .body)] = nil
                state.latest[ReplacedEvent(call: id, kind: .saved)] = nil
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
    /// The call that it is about.
    fileprivate var call: CallID? {
        switch self {
        case .call(let id, _), .download(let id, _): id
        default: nil
        }
    }

    /// The kind of event of a call of which only the latest matters; nil for any other action.
    fileprivate var replacedEvent: Mailbox.ReplacedEvent? {
        switch self {
        case .call(let id, .progressed), .download(let id, .progressed): .init(call: id, kind: .progress)
        case .call(let id, .grew): .init(call: id, kind: .body)
        case .download(let id, .saved): .init(call: id, kind: .saved)
        default: nil
        }
    }

    /// Whether a person learns nothing from `earlier` once this has happened.
    fileprivate func replaces(_ earlier: Action) -> Bool {
        switch (self, earlier) {
        case (.capture(let id, .recorded), .capture(let before, .recorded)): id == before
        case (.monitored, .monitored), (.historyChanged, .historyChanged): true
        default: false
        }
    }
}
