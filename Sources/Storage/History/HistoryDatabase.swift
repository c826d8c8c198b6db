internal import Foundation
internal import GRDB

/// The database of the history: the file, a read-only connection to it, or memory.
struct HistoryDatabase {
    /// The storage that could be opened.
    enum Mode {
        /// The file, shared with other programs.
        case file
        /// The file, read-only.
        case reading
        /// A database in memory, for this program only.
        case memory
    }

    let mode: Mode
    let reader: any DatabaseReader
    /// Nil for a read-only database.
    let writer: (any DatabaseWriter)?
    /// The reason why the database is in memory or read-only.
    let problem: WorkspaceError?
    /// The identity of the database, which the folder of its bodies records too; nil unless the mode is `file`.
    var identity: String?

    /// The folder with the bodies of the database at `path`.
    static func bodyFolder(of path: String) -> String { (path as NSString).deletingLastPathComponent + "/bodies" }

    /// Opens the database at `path`, creating it if necessary.
    ///
    /// When that fails, the file is opened read-only; when that fails too, a database in memory replaces it. The file is left
    /// unchanged.
    static func open(_ path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) -> HistoryDatabase {
        do {
            let (pool, identity) = try pool(path, prepare)
            return HistoryDatabase(mode: .file, reader: pool, writer: pool, problem: nil, identity: identity)
        } catch {
            if HistoryTrouble.isAboutWriting(error), let reader = readOnly(path) {
                let problem = HistoryTrouble.opening(path, error, instead: "existing exchanges can be read, and new ones are not added")
                return HistoryDatabase(mode: .reading, reader: reader, writer: nil, problem: problem)
            }
            return memory(HistoryTrouble.opening(path, error, instead: "this program keeps its exchanges in memory"))
        }
    }

    /// Creates a database in memory.
    static func memory(_ problem: WorkspaceError?) -> HistoryDatabase {
        do {
            let queue = try DatabaseQueue(configuration: configuration { _ in })
            try HistorySchema.migrator.migrate(queue)
            return HistoryDatabase(mode: .memory, reader: queue, writer: queue, problem: problem)
        } catch {
            // SQLite has no memory for an empty database, so the program cannot go on.
            preconditionFailure("a database in memory cannot be created: \(error)")
        }
    }

    /// Opens the file and migrates it; returns the identity, too.
    private static func pool(_ path: String, _ prepare: @escaping @Sendable (Database) throws -> Void) throws -> (DatabasePool, String?) {
        try StateFolder.make((path as NSString).deletingLastPathComponent)
        for ending in ["", "-wal", "-shm", ".lock"] { try StateFolder.checkFile(path + ending) }
        // SQLite creates the `-wal` and `-shm` files with the mode of this file.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw HistoryTrouble.system(errno) }
        var information = stat()
        // One that an older mode let others read is private from now on; that of another owner cannot be changed, and the folder is private.
        if fstat(descriptor, &information) == 0, information.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        close(descriptor)
        // When several programs start at once, only one of them creates the tables.
        let lock = StateLock(path: path + ".lock", within: 5)
        defer { withExtendedLifetime(lock) {} }
        let pool = try DatabasePool(path: path, configuration: configuration(prepare))
        // Through the writer, so that a command that only records opens one connection.
        let isCurrent = try pool.writeWithoutTransaction { db in
            // GRDB's default for WAL is NORMAL. With FULL, a committed exchange survives a power failure.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // Checks first, because the check does not wait for other programs and the migration does.
            return try HistorySchema.isCurrent(db)
        }
        if !isCurrent { try HistorySchema.migrator.migrate(pool) }
        let identity = try pool.writeWithoutTransaction { db in try String.fetchOne(db, sql: "SELECT id FROM identity") }
        return (pool, identity)
    }

    /// Opens a file that cannot be written: with its `-wal` and `-shm` files if they are usable, otherwise as immutable.
    static func readOnly(_ path: String) -> (any DatabaseReader)? {
        var configuration = configuration { _ in }
        configuration.readonly = true
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        for place in [path, "file:\(escaped)?immutable=1"] {
            do {
                let queue = try DatabaseQueue(path: place, configuration: configuration)
                if try queue.read(HistorySchema.isCurrent) { return queue }
            } catch { continue }
        }
        return nil
    }

    private static func configuration(_ prepare: @escaping @Sendable (Database) throws -> Void) -> Configuration {
        var configuration = Configuration()
        configuration.label = "sortie.history"
        configuration.busyMode = .timeout(5)
        configuration.qos = .userInitiated
        configuration.maximumReaderCount = 3
        configuration.prepareDatabase { db in
            // Applies to a file that is being created, before its first table, so that space can be returned later. Setting it waits
            // for other programs.
            if !db.configuration.readonly, try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") != 2 {
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            // 8 MB is enough to read each page only once while scanning a large list.
            try db.execute(sql: "PRAGMA cache_size = -8192")
            try prepare(db)
        }
        return configuration
    }
}
