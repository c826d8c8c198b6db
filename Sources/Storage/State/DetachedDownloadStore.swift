internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// Stores the detached downloads: for each a state file, a log, and a lock that its process holds while it runs.
///
/// They are in `$XDG_STATE_HOME/sortie/downloads` and are named by number. A process that was killed releases its lock, so that the download is listed
/// as interrupted.
package struct DetachedDownloadStore: Sendable {
    /// The largest number of a download.
    static let mostNumber = 999_999

    private let folder: String

    package init(stateFolder: String) {
        folder = "\(stateFolder)/sortie/downloads"
    }

    // MARK: The process of a download

    /// The entry of the running process; the lock is released with it.
    package final class Entry: Sendable {
        package let id: Int
        /// The descriptor of the log, which becomes standard error.
        package let log: Int32
        private let lock: StateLock
        private let store: DetachedDownloadStore

        fileprivate init(id: Int, log: Int32, lock: StateLock, store: DetachedDownloadStore) {
            (self.id, self.log, self.lock, self.store) = (id, log, lock, store)
        }

        deinit { close(log) }

        /// Stores the state; it is on disk when this returns.
        package func save(_ download: DetachedDownload) throws(WorkspaceError) {
            try StateFile<StoredDetachedDownload>(store.path(id, "json")).save([download])
        }

        /// Removes the files, where the download ended before the process left the foreground.
        package func discard() throws(WorkspaceError) { try store.remove(id) }
    }

    /// Creates an entry with a new number, whose lock belongs to this process.
    package func begin() throws(WorkspaceError) -> Entry {
        try StateFolder.make(folder)
        let first = (try numbers().last ?? 0) + 1
        // Another program may have taken a number in the meantime.
        for id in first..<max(first, min(first + 100, Self.mostNumber)) {
            guard let lock = StateLock(path: path(id, "lock")) else { continue }
            let log = open(path(id, "log"), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if log >= 0 { return Entry(id: id, log: log, lock: lock, store: self) }
            guard errno == EEXIST else { throw unwritable(String(cString: strerror(errno))) }
        }
        throw unwritable("no file can be locked there")
    }

    // MARK: All downloads

    /// The downloads by number, and what cannot be read.
    package func all() -> (downloads: [DetachedDownload], problems: [WorkspaceError]) {
        var (downloads, problems): ([DetachedDownload], [WorkspaceError]) = ([], [])
        do throws(WorkspaceError) {
            for id in try numbers() {
                do throws(WorkspaceError) {
                    // Before the file, whose last state is written while the lock is held.
                    let process = process(of: id)
                    let content = try StateFile<StoredDetachedDownload>(path(id, "json")).load()
                    problems += content?.problems ?? []
                    guard var download = content?.values.first, download.id == id else { continue }
                    // A process that has written its result ends without further work.
                    download.process = download.end == nil ? process : nil
                    downloads.append(download)
                } catch { problems.append(error) }
            }
        } catch { problems.append(error) }
        return (downloads, problems)
    }

    /// The end of what the process of a download reported.
    package func log(of id: Int) throws(WorkspaceError) -> String {
        let path = path(id, "log")
        try StateFolder.checkFile(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return "" }
            throw WorkspaceError(.unreadable, file: path, "the messages of the download cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let most = 64 << 10
        let size = lseek(descriptor, 0, SEEK_END)
        _ = lseek(descriptor, max(0, size - off_t(most)), SEEK_SET)
        do throws(WholeFile.Failure) { return String(decoding: try WholeFile.bytes(of: descriptor, atMost: most), as: UTF8.self) } catch {
            throw WorkspaceError(.unreadable, file: path, error.reason)
        }
    }

    /// Removes the files of a download whose process has ended; a running one is not changed.
    package func forget(_ id: Int) throws(WorkspaceError) {
        // Held until the files are removed, because a program that begins a download may have created the lock and not acquired it yet.
        // Programs that read who has it hold it briefly.
        guard process(of: id) == nil, let lock = StateLock(path: path(id, "lock"), within: 1) else { return }
        defer { withExtendedLifetime(lock) {} }
        try remove(id)
    }

    /// Removes the downloads that ended long ago, and what a program left that ended before it had stored its download.
    ///
    /// - Parameter hasPart: Whether there are bytes from which a download can be resumed.
    package func removeOld(at time: Double, hasPart: (DetachedDownload) -> Bool) throws(WorkspaceError) {
        let (downloads, problems) = all()
        for download in downloads where download.isOld(at: time, hasPart: hasPart(download)) { try forget(download.id) }
        guard problems.isEmpty else { return }
        for id in try numbers() where !FileManager.default.fileExists(atPath: path(id, "json")) { try forget(id) }
    }

    /// The ID of the process that holds the lock of a download; nil where it has ended.
    package func process(of id: Int) -> Int32? { StateLock.runningHolder(of: lock(of: id)) }

    /// The file that the process of a download has locked.
    package func lock(of id: Int) -> String { path(id, "lock") }

    private func remove(_ id: Int) throws(WorkspaceError) {
        for ending in ["json", "log", "lock"] where unlink(path(id, ending)) != 0 && errno != ENOENT {
            throw unwritable("\(path(id, ending)) cannot be removed: \(String(cString: strerror(errno)))")
        }
    }

    /// The numbers of all files, in order.
    private func numbers() throws(WorkspaceError) -> [Int] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        try StateFolder.check(folder)
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw WorkspaceError(.unreadable, file: folder, "the detached downloads cannot be read: \(error)")
        }
        return Set(names.compactMap { Int($0.prefix { $0 != "." }) }).filter { (1...Self.mostNumber).contains($0) }.sorted()
    }

    private func path(_ id: Int, _ ending: String) -> String { "\(folder)/\(id).\(ending)" }

    private func unwritable(_ reason: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: folder, "the detached download cannot be stored: \(reason)")
    }
}

/// A detached download, as it is stored.
struct StoredDetachedDownload: StateRecord {
    static let format = StateFormat(key: "downloads", content: "the detached download")

    var id: Int
    var target: String
    var file: String
    var command: String
    var startedAt: Double
    var startedWith: Int64
    var state: String
    var end: DetachedDownload.End?

    init(_ download: DetachedDownload) {
        (id, target, file, command) = (download.id, download.target, download.file, download.command)
        (startedAt, startedWith, state, end) = (download.startedAt, download.startedWith, download.state, download.end)
    }

    func value(_ problems: inout [String]) -> DetachedDownload? {
        guard (1...DetachedDownloadStore.mostNumber).contains(id), [startedAt, end?.time ?? 0].allSatisfy({ (0...1e11).contains($0) }) else {
            problems.append("a number is not one that Sortie writes")
            return nil
        }
        var download = DetachedDownload(
            id: id, target: target, file: file, command: command, startedAt: startedAt, startedWith: startedWith, state: state)
        download.end = end
        return download
    }
}
