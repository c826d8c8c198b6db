internal import Storage
internal import Synchronization

/// The history, opened once, by whoever needs it first.
final class HistoryOpening: Sendable {
    private let state = Mutex<HistoryStore?>(nil)
    private let whenOpened: @Sendable (HistoryStore) -> Void

    /// A history that is not open yet.
    ///
    /// - Parameter whenOpened: gets the store once, when it was opened.
    init(_ whenOpened: @escaping @Sendable (HistoryStore) -> Void = { _ in }) {
        self.whenOpened = whenOpened
    }

    /// The store, opened where it was not; waits for it.
    var store: HistoryStore {
        let (store, isNew) = state.withLock { state in
            if let state { return (state, false) }
            let opened = HistoryStore.open()
            state = opened
            return (opened, true)
        }
        if isNew { whenOpened(store) }
        return store
    }

    /// The store where it was opened.
    var opened: HistoryStore? { state.withLock { $0 } }
}
