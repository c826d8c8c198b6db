internal import Dispatch
internal import GRDB
internal import Synchronization

/// Detection of writes by other programs, on the store's queue.
extension HistoryStore {
    /// Starts to watch the WAL file, which every write goes to.
    func watchFile() {
        guard state.withLock({ $0.watch == nil }) else { return }
        let version = dataVersion()
        let watch = FileWatch(path + "-wal", queue: queue) { [weak self] in self?.noticeWriting() }
        state.withLock { state in
            state.dataVersion = version
            state.watch = watch
        }
    }

    /// Schedules a check 100 ms after the first of several writes.
    private func noticeWriting() {
        let isFirst = state.withLock { state in
            defer { state.isLookScheduled = true }
            return !state.isLookScheduled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.look() }
    }

    private func look() {
        let version = dataVersion()
        let isOther = state.withLock { state in
            state.isLookScheduled = false
            defer { state.dataVersion = version }
            return version != nil && state.dataVersion != version
        }
        if isOther { tell(.written) }
    }

    /// `PRAGMA data_version`, which changes when another connection writes.
    private func dataVersion() -> Int? {
        do { return try database.writer?.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") } } catch { return nil }
    }
}
