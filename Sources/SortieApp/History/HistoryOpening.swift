internal import SortieStorage
internal import Synchronization

/// Opens the history on first use.
final class HistoryOpening: Sendable {
    private let state = Mutex<HistoryStore?>(nil)
    private let whenOpened: @Sendable (HistoryStore) -> Void

    /// Creates an unopened history.
    ///
    /// - Parameter whenOpened: Called once with the opened store.
    init(_ whenOpened: @escaping @Sendable (HistoryStore) -> Void = { _ in }) {
        self.whenOpened = whenOpened
    }

    /// The store; opens it if necessary, and blocks until it is open.
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

    /// The store, if it is open.
    var opened: HistoryStore? { state.withLock { $0 } }
}
