internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// The folder of the program's state (XDG Base Directory Specification).
package enum StateFolder {
    /// The largest file that is read, in bytes.
    static let largestFile = 1 << 30

    /// The folder of the cached responses of a workspace; nil for one without a folder.
    package static func responses(of workspace: Workspace, cacheFolder: String) -> String? {
        workspace.hasFolder ? path(in: "\(workspace.cacheFolder ?? cacheFolder)/sortie/responses", of: workspace.folder) : nil
    }

    // MARK: Names

    /// The path in `parent` at which the state of the workspace in `folder` is stored.
    static func path(in parent: String, of folder: String, ending: String = "") -> String {
        "\(parent)/\(name(of: folder))\(ending)"
    }

    /// The file name for an item with a name, such as a run or the path of a workspace; two items never share it.
    ///
    /// Only a name above `limit` bytes ends with a digest: the start of the program opens the state of a workspace and should not load libcrypto.
    static func name(of text: String, limit: Int = longestName) -> String {
        let name = readableName(of: text)
        return name.utf8.count <= limit ? name : digested(name, of: text, limit: limit)
    }

    /// The maximum length of a name without a digest, in bytes, so that the endings still fit into 255.
    static let longestName = 200

    /// The end of a readable name, a hyphen, which readable names do not contain, and the first 64 bits of the text's SHA-256.
    private static func digested(_ name: String, of text: String, limit: Int = longestName) -> String {
        let digest = HexDigits.text(HashFunction.sha256.digest(of: text).prefix(8))
        return "\(name.suffix(min(150, limit - digest.count - 1)))-\(digest)"
    }

    private static func readableName(of text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : byte == 0x2f ? "_" : "%" + HexDigits.text([byte])
        }.joined()
    }

    // MARK: Folders

    /// Creates a folder that only the user can access.
    ///
    /// - Throws: Also where other users could change its content (``check(_:)``).
    static func make(_ path: String) throws(WorkspaceError) {
        try check(path)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw WorkspaceError(.unwritable, file: path, "the folder cannot be created: \(error.systemReason)")
        }
    }

    /// Rejects a state folder that other users can change: one that belongs to another user, or that is world-writable.
    ///
    /// The folder and its parents up to the one named `sortie` are checked; folders above that belong to all programs.
    ///
    /// - Throws: A ``WorkspaceError`` with the folder and the remedy; a folder that does not exist is valid.
    static func check(_ path: String) throws(WorkspaceError) {
        let isOurs = FilePath.components(of: path).contains("sortie")
        var current = FilePath.normalized(path)
        while true {
            if let problem = problem(of: current) {
                throw WorkspaceError(
                    .notPrivate, file: current,
                    "\(problem), so other users could read or change the files of Sortie in it; move the folder to another place, "
                        + "or set XDG_STATE_HOME, XDG_CACHE_HOME and XDG_DATA_HOME to folders that you own")
            }
            guard isOurs, FilePath.name(of: current) != "sortie" else { return }
            current = FilePath.folder(of: current)
        }
    }

    /// Rejects a state file that is a link, a pipe, a device or a folder: reading it could wait without end, and writing it could change another file.
    ///
    /// - Throws: A ``WorkspaceError`` with the file and the remedy; a file that does not exist is valid.
    static func checkFile(_ path: String) throws(WorkspaceError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        let kind =
            switch status.st_mode & S_IFMT {
            case S_IFLNK: "a symbolic link"
            case S_IFDIR: "a folder"
            case S_IFIFO: "a named pipe"
            case S_IFSOCK: "a socket"
            default: "a device"
            }
        throw WorkspaceError(
            .notPrivate, file: path, "it is \(kind), and Sortie keeps its state only in regular files; remove it, or move it to another place")
    }

    private static func problem(of folder: String) -> String? {
        var link = stat()
        var target = stat()
        guard lstat(folder, &link) == 0, stat(folder, &target) == 0 else { return nil }
        for owner in [link.st_uid, target.st_uid] where !SystemUser.isTrusted(owner) { return "it belongs to \(SystemUser.name(of: owner))" }
        return target.st_mode & S_IFMT == S_IFDIR && target.st_mode & S_IWOTH != 0 ? "every user can write to it" : nil
    }
}

extension Workspace {
    /// Whether the workspace is one of files, and not the empty one of URLs, whose folder is the working directory as `.`.
    package var hasFolder: Bool { FilePath.name(of: folder) != "." }
}

/// A record that each running program has in a file of its own, and that a later program reads and removes when that one has ended.
package protocol ProgramRecord: StateRecord {
    /// The folder of the files in `$XDG_STATE_HOME/sortie`.
    static var folder: String { get }

    /// Adds the values of another file to those found before, which determines order and duplicates.
    static func add(_ more: [Value], to found: inout [Value])
}

/// Stores the items of each running program about one workspace, so that neither its end nor a crash loses them, and two programs never own the
/// same item.
///
/// Each program has a separate file in a folder and holds a lock for it while it runs. The next program takes over the files of programs that
/// have ended.
package final class ProgramState<Record: ProgramRecord>: Sendable {
    package typealias Item = Record.Value

    private let folder: String
    private let file: StateFile<Record>
    private let lock: StateLock

    /// Creates a file in `$XDG_STATE_HOME/sortie/FOLDER/WORKSPACE`.
    ///
    /// - Throws: When the state folder is not writable.
    package convenience init(workspace: String, stateFolder: String) throws(WorkspaceError) {
        try self.init(folder: StateFolder.path(in: "\(stateFolder)/sortie/\(Record.folder)", of: workspace))
    }

    /// Creates a file in `folder`.
    ///
    /// - Parameter newName: a name for the file, which no other program has.
    /// - Throws: When the folder is not writable.
    init(folder: String, newName: () -> String = { UUID().uuidString.lowercased() }) throws(WorkspaceError) {
        self.folder = folder
        let content = Record.format.content
        do { try StateFolder.make(folder) } catch {
            throw WorkspaceError(.unwritable, file: folder, "\(content) cannot be stored: \(error)")
        }
        // A program that takes over files can see a lock before it is held, and acquire and remove it. It does not see a lock of another name.
        for _ in 0..<Self.mostNames {
            let name = newName()
            try StateFolder.checkFile("\(folder)/\(name).lock")
            guard let lock = StateLock(path: "\(folder)/\(name).lock") else { continue }
            self.lock = lock
            file = StateFile("\(folder)/\(name).json")
            return
        }
        throw WorkspaceError(.unwritable, file: folder, "\(content) cannot be stored, because no lock can be created; check the folder's permissions")
    }

    /// The number of names that are tried.
    private static var mostNames: Int { 10 }

    deinit {
        if !FileManager.default.fileExists(atPath: file.path) { lock.remove() }
    }

    /// Replaces the stored items; they are on disk when this returns.
    package func keep(_ items: [Item]) throws(WorkspaceError) {
        try file.save(items.isEmpty ? nil : items)
    }

    /// When the items at a place were stored last, in nanoseconds; 0 where there are none.
    private static func changed(_ place: String) -> Int {
        var status = stat()
        return stat("\(place).json", &status) == 0 ? status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec : 0
    }

    /// Takes over the items of programs that have ended, those that were stored last at the end.
    ///
    /// They belong to this program when this returns. A file that cannot be read is not changed and is reported; of a record, what can be read is taken over.
    package func adopt() -> (items: [Item], problems: [WorkspaceError]) {
        var found: [Item] = []
        var problems: [WorkspaceError] = []
        var done: [(StateFile<Record>, StateLock)] = []
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            return ([], [WorkspaceError(.unreadable, file: folder, "\(Record.format.content) cannot be read: \(error)")])
        }
        var places = names.filter { $0.hasSuffix(".lock") }.map { "\(folder)/\($0.dropLast(5))" }
        // Programs before version 0.2.0 shared one file.
        if FileManager.default.fileExists(atPath: folder + ".json") { places.append(folder) }
        for place in places.map({ (Self.changed($0), $0) }).sorted(by: <).map(\.1) {
            let left = StateFile<Record>("\(place).json")
            // Held until the end, so that only one of two programs that start at once takes the file over. This program already holds its own
            // lock.
            guard left.path != file.path, let lock = StateLock(leftAt: "\(place).lock") else { continue }
            do {
                let content = try left.load()
                Record.add(content?.values ?? [], to: &found)
                problems += content?.problems ?? []
                done.append((left, lock))
            } catch { problems.append(error) }
        }
        do throws(WorkspaceError) { if !found.isEmpty { try keep(found) } } catch {
            problems.append(error)
            return ([], problems)
        }
        // The items belong to this program from here on, also where the old file cannot be removed.
        for (left, lock) in done {
            do throws(WorkspaceError) {
                try left.save(nil)
                lock.remove()
            } catch { problems.append(error) }
        }
        return (found, problems)
    }
}

/// A lock file, held by at most one running process; a crash releases it (`flock(2)`).
final class StateLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Acquires the lock; nil when another holder has it, or the file cannot be created.
    ///
    /// - Parameter seconds: how long to wait for a lock that others hold only briefly; this blocks the thread.
    convenience init?(path: String, within seconds: Double = 0) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        self.init(path: path) { ContinuousClock.now < deadline }
    }

    /// Acquires the lock of an earlier program, unless that program is running.
    ///
    /// The kernel releases the locks of a killed program shortly after its end is visible, and a process that is being started briefly holds the
    /// locks of this program. Therefore this waits for a holder that is not running, or that is this process.
    convenience init?(leftAt path: String) {
        let began = ContinuousClock.now
        self.init(path: path) {
            guard let holder = Self.holder(of: path) else { return false }
            if holder == getpid() { return ContinuousClock.now < began + .milliseconds(300) }
            return kill(holder, 0) != 0 && errno == ESRCH && ContinuousClock.now < began + .seconds(5)
        }
    }

    private init?(path: String, whileHeld mayWait: () -> Bool) {
        self.path = path
        var taken = Self.take(path)
        while taken == nil, errno == EWOULDBLOCK, mayWait() {
            usleep(5000)
            taken = Self.take(path)
        }
        guard let taken else { return nil }
        descriptor = taken
    }

    /// The process that holds a lock; nil where none does.
    ///
    /// The file is locked for reading meanwhile, so that two programs that do this at the same time do not count each other as the holder.
    static func runningHolder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return holder(of: path)
    }

    /// The process ID in the lock; nil for a lock of an older version, or one that is being created.
    private static func holder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? pid_t(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// Writes the ID of this process into the lock for other programs.
    private static func sign(_ descriptor: Int32) {
        let number = Array("\(getpid())".utf8)
        // Optional: without the ID, a lock that is held counts as that of a running program.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, number, number.count, 0)
    }

    /// The descriptor of the locked file; nil, with the reason in `errno`, when it cannot be locked.
    private static func take(_ path: String) -> Int32? {
        // Neither a link is followed, nor does a pipe wait for a writer.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        var ours = stat()
        var there = stat()
        guard fstat(descriptor, &ours) == 0, ours.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = ELOOP
            return nil
        }
        let code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        // The previous holder may have removed the file between opening and locking, and a lock on an unlinked file excludes no other program.
        if code == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino {
            sign(descriptor)
            return descriptor
        }
        close(descriptor)
        errno = code == 0 || code == EINTR ? EWOULDBLOCK : code
        return nil
    }

    /// Removes the file; the lock is held until the object is released.
    func remove() {
        unlink(path)
    }

    deinit {
        // A child process that is being started has a copy of the descriptor until it executes its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
