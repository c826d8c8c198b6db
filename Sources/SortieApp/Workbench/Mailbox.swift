internal import CLinux
internal import Glibc
internal import SortieHTTP
internal import SortieWorkbench
internal import Synchronization

/// Actions for the main thread, and the descriptor that wakes it.
final class Mailbox: Sendable {
    /// Becomes readable when an action is posted.
    let descriptor: Int32
    private let state = Mutex(State())

    /// The key of call events of which only the latest is kept.
    struct ReplacedEvent: Hashable {
        enum Kind: Hashable { case progress, body, saved }

        var call: CallID
        var kind: Kind
    }

    private struct State {
        var actions: [Action] = []
        /// The index of the latest event for each key, for events of which only the latest matters.
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

    /// Posts an action; the first one since the last ``take()`` wakes the main thread.
    ///
    /// Of a call's progress events only the latest is kept, and it does not wake the main thread, which ticks anyway while something
    /// is in flight. Many fast transfers therefore cause neither a long queue nor more frames.
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
                // A later body event must not replace one before this event of the call.
                state.latest[ReplacedEvent(call: id, kind: .body)] = nil
                state.latest[ReplacedEvent(call: id, kind: .saved)] = nil
            }
            if let last = state.actions.last, action.replaces(last) { state.actions.removeLast() }
            state.actions.append(action)
            return !Swift.exchange(&state.isWoken, with: true)
        }
        guard mustWake else { return }
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Removes and returns all posted actions.
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
    /// The call of the action.
    fileprivate var call: CallID? {
        switch self {
        case .call(let id, _), .download(let id, _): id
        default: nil
        }
    }

    /// The key of a call event of which only the latest matters; nil for other actions.
    fileprivate var replacedEvent: Mailbox.ReplacedEvent? {
        switch self {
        case .call(let id, .progressed), .download(let id, .progressed): .init(call: id, kind: .progress)
        case .call(let id, .grew): .init(call: id, kind: .body)
        case .download(let id, .saved): .init(call: id, kind: .saved)
        default: nil
        }
    }

    /// Whether this action makes `earlier` obsolete.
    fileprivate func replaces(_ earlier: Action) -> Bool {
        switch (self, earlier) {
        case (.capture(let id, .recorded), .capture(let before, .recorded)): id == before
        // A report of a job includes the reports before it.
        case (.worked(let result), .worked(let before)): result.id == before.id
        case (.monitored, .monitored), (.historyChanged, .historyChanged): true
        default: false
        }
    }
}
