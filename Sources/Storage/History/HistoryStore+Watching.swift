internal import Dispatch
internal import GRDB
internal import Synchronization

/// Detection of writes by other programs, on the store's queue.
extension HistoryStore {
    /// The time from a write to a look at the version, and those to the looks after it.
    ///
    /// SQLite writes to the WAL file before other connections see the change, and a program that is interrupted between both publishes it later,
    /// without another write. The end of that program is noticed as well, because it closes the file.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    private static let lateDelays = [DispatchTimeInterval.seconds(1), .seconds(10)]

    /// Starts to watch the WAL file, which every write goes to.
    func watchFile() {
        guard state.withLock({ $0.watch == nil }) else { return }
        let version = dataVersion()
        let watch = FileWatch(path + "-wal", queue: queue) { [weak self] in self?.noticeWriting() }
        state.withLock { state in
            state.dataVersion = version
            state.watch = watch
        }
        // A write before the watch began is not reported by it.
        noticeWriting()
    }

    /// Schedules a check 100 ms after the first of several writes.
    private func noticeWriting() {
        let isFirst = state.withLock { state in
            defer { state.isLookScheduled = true }
            return !state.isLookScheduled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [weak self] in
            guard let self else { return }
            let number = state.withLock { state in
                state.isLookScheduled = false
                state.looks += 1
                return state.looks
            }
            look()
            lookLater(Self.lateDelays[...], after: number)
        }
    }

    /// Looks again after each of the delays, until a look after another write.
    private func lookLater(_ delays: ArraySlice<DispatchTimeInterval>, after number: Int) {
        guard let delay = delays.first else { return }
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, state.withLock({ $0.looks == number }) else { return }
            look()
            lookLater(delays.dropFirst(), after: number)
        }
    }

    private func look() {
        let version = dataVersion()
        let isOther = state.withLock { state in
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
