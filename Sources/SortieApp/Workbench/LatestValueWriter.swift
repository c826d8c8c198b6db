internal import Dispatch
internal import SortieWorkbench
internal import Synchronization

/// Writes the latest value to disk in the background; several changes in quick succession are written once.
final class LatestValueWriter<Value: Equatable & Sendable>: Sendable {
    private let mailbox: Mailbox
    private let save: @Sendable (Value) throws -> Void
    private let queue: DispatchQueue
    private let state: Mutex<State>

    private struct State {
        var kept: Value
        var isQueued = false
        /// The failure of the last write; nil where it succeeded.
        var failure: String?
    }

    /// Creates a keeper; `kept` is the value on the disk.
    init(_ name: String, kept: Value, mailbox: Mailbox, save: @escaping @Sendable (Value) throws -> Void) {
        self.mailbox = mailbox
        self.save = save
        queue = DispatchQueue(label: "sortie.\(name)")
        state = Mutex(State(kept: kept))
    }

    /// Stores a value.
    func keep(_ value: Value) {
        let mustQueue = state.withLock { state in
            guard value != state.kept else { return false }
            state.kept = value
            defer { state.isQueued = true }
            return !state.isQueued
        }
        if mustQueue { queue.async { self.write() } }
    }

    /// Waits until the last change is on the disk; a write that failed is tried again, because there may be space since.
    ///
    /// - Parameter writesAgain: Whether the value is written also without a change, because other programs share the file.
    /// - Returns: The reason why it could not be written; nil where it was.
    func finish(writesAgain: Bool = false) -> String? {
        queue.sync { if writesAgain || state.withLock({ $0.failure != nil }) { write() } }
        return state.withLock { $0.failure }
    }

    private func write() {
        let value = state.withLock { state in
            state.isQueued = false
            return state.kept
        }
        do {
            try save(value)
            state.withLock { $0.failure = nil }
        } catch {
            let failure = "\(error)"
            state.withLock { $0.failure = failure }
            mailbox.post(.log(LogEntry(.error, failure)))
        }
    }
}
