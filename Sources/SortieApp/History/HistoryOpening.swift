internal import SortieStorage
internal import Synchronization

/// Opens the history on first use.
final class HistoryOpening: Sendable {
    /// The folders of the user.
    let folders: UserFolders
    private let state = Mutex<HistoryStore?>(nil)
    private let whenOpened: @Sendable (HistoryStore) -> Void

    /// Creates an unopened history.
    ///
    /// - Parameter whenOpened: Called once with the opened store.
    init(_ folders: UserFolders, _ whenOpened: @escaping @Sendable (HistoryStore) -> Void = { _ in }) {
        (self.folders, self.whenOpened) = (folders, whenOpened)
    }

    /// The store; opens it if necessary, and blocks until it is open.
    var store: HistoryStore {
        let (store, isNew) = state.withLock { state in
            if let state { return (state, false) }
            let opened = HistoryStore.open(stateFolder: folders.state)
            state = opened
            return (opened, true)
        }
        if isNew { whenOpened(store) }
        return store
    }

    /// The store, if it is open.
    var opened: HistoryStore? { state.withLock { $0 } }
}
