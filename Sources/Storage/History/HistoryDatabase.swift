internal import Foundation
internal import GRDB

/// The file of the history, opened as well as it can be.
struct HistoryDatabase {
    /// What it is good for.
    enum Mode {
        /// The file, shared with other programs.
        case file
        /// The file, which can only be read.
        case reading
        /// Memory, for this program.
        case memory
    }

    let mode: Mode
    let reader: any DatabaseReader
    /// Nil where nothing can be written.
    let writer: (any DatabaseWriter)?
    /// Why it is not the file, or only to be read.
    let problem: WorkspaceError?
    /// The name of its own that the folder of its bodies bears, too; nil where it is not the file.
    var identity: String?

    /// Where the bodies of the database at `path` are.
    static func bodyFolder(of path: String) -> String { (path as NSString).deletingLastPathComponent + "/bodies" }

    /// Opens the file at `path`, making it where there is none.
    ///
    /// Where that fails it is read at least, and where that fails too, memory stands in for it; the file is left as it was.
    static func open(_ path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) -> HistoryDatabase {
        do {
            let pool = try pool(path, prepare)
            let identity = try pool.read { db in try String.fetchOne(db, sql: "SELECT id FROM identity") }
            return HistoryDatabase(mode: .file, reader: pool, writer: pool, problem: nil, identity: identity)
        } catch {
            if HistoryTrouble.isAboutWriting(error), let reader = readOnly(path) {
                let problem = HistoryTrouble.opening(path, error, instead: "what is in it can be read, and nothing is added")
                return HistoryDatabase(mode: .reading, reader: reader, writer: nil, problem: problem)
            }
            return memory(HistoryTrouble.opening(path, error, instead: "this program keeps its exchanges in memory"))
        }
    }

    /// Memory instead of a file.
    static func memory(_ problem: WorkspaceError?) -> HistoryDatabase {
        do {
            let queue = try DatabaseQueue(configuration: configuration { _ in })
            try HistorySchema.migrator.migrate(queue)
            return HistoryDatabase(mode: .memory, reader: queue, writer: queue, problem: problem)
        } catch {
            // SQLite without memory for an empty database: nothing in this program will go on for long.
            preconditionFailure("no database in memory can be made: \(error)")
        }
    }

    private static func pool(_ path: String, _ prepare: @escaping @Sendable (Database) throws -> Void) throws -> DatabasePool {
        try StateFolder.make((path as NSString).deletingLastPathComponent)
        // SQLite gives the files beside it the mode of this one.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HistoryTrouble.system(errno) }
        var information = stat()
        // One that an older mode let others read is private from now on; that of another owner cannot be changed, and the folder is private.
        if fstat(descriptor, &information) == 0, information.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        close(descriptor)
        // Of several programs that start at once, one makes the tables.
        let lock = StateLock(path: path + ".lock", within: 5)
        defer { withExtendedLifetime(lock) {} }
        let pool = try DatabasePool(path: path, configuration: configuration(prepare))
        if try pool.read(HistorySchema.migrator.hasBeenSuperseded) { throw HistoryTrouble.newer }
        try pool.writeWithoutTransaction { db in
            // Not GRDB's choice: what was reported as kept is kept, whatever happens to the machine.
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        // A look only where nothing is to be done: it waits for no other program.
        if try !pool.read(HistorySchema.migrator.hasCompletedMigrations) {
            let steps = try pool.read(HistorySchema.migrator.appliedMigrations)
            try HistorySchema.migrator.migrate(pool)
            // One of before folders bore names: the bodies that are there are its own.
            if !steps.isEmpty, !steps.contains(HistorySchema.identityStep),
                let identity = try pool.read({ db in try String.fetchOne(db, sql: "SELECT id FROM identity") })
            {
                BodyFolder(path: bodyFolder(of: path), identity: identity).adopt()
            }
        }
        return pool
    }

    /// A reader of a file that cannot be written: with the files beside it where they are there, else as it stands.
    static func readOnly(_ path: String) -> (any DatabaseReader)? {
        var configuration = configuration { _ in }
        configuration.readonly = true
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        for place in [path, "file:\(escaped)?immutable=1"] {
            do {
                let queue = try DatabaseQueue(path: place, configuration: configuration)
                if try queue.read(HistorySchema.migrator.hasCompletedMigrations), try !queue.read(HistorySchema.migrator.hasBeenSuperseded) {
                    return queue
                }
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
            // Counts for a file that is being made; before the first table, so that space can be given back later. To set it waits for other programs.
            if !db.configuration.readonly, try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") != 2 {
                try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            // 8 MB: enough that a walk through a large list does not read every page twice.
            try db.execute(sql: "PRAGMA cache_size = -8192")
            try prepare(db)
        }
        return configuration
    }
}
