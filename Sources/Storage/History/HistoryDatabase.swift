internal import Foundation
internal import GRDB
internal import SortieBase

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
    static func bodyFolder(of path: String) -> String { FilePath.joining(FilePath.folder(of: path), "bodies") }

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
            // SQLite has no memory for an empty database, so the program cannot continue.
            preconditionFailure("a database in memory cannot be created: \(error)")
        }
    }

    /// Opens the file and migrates it; returns the identity, too.
    private static func pool(_ path: String, _ prepare: @escaping @Sendable (Database) throws -> Void) throws -> (DatabasePool, String?) {
        try StateFolder.make(FilePath.folder(of: path))
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

/// The tables of the history.
///
/// A released migration is never edited; changes are appended as further migrations.
enum HistorySchema {
    /// The migration that creates the tables.
    ///
    /// It has the name of the last of the steps that created them before the first release, so that a history of that program can be used.
    private static let tables = "5 checks"
    /// The steps before ``tables``, which such a history lists as well.
    private static let unreleased: Set<String> = ["1 exchanges", "2 annotations", "3 identity", "4 formats"]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(tables) { db in try db.execute(sql: exchanges) }
        return migrator
    }

    /// Whether a database has the current tables, so that it need not be migrated.
    ///
    /// - Throws: ``HistoryTrouble/newer`` or ``HistoryTrouble/older`` for a database that this version can neither use nor migrate.
    static func isCurrent(_ db: Database) throws -> Bool {
        let applied = try migrator.appliedIdentifiers(db)
        guard applied.subtracting(migrator.migrations).isSubset(of: unreleased) else { throw HistoryTrouble.newer }
        guard applied.isEmpty || applied.contains(tables) else { throw HistoryTrouble.older }
        return try migrator.hasCompletedMigrations(db)
    }

    /// `exchange` has the columns of lists and filters, in short rows so that a full scan is fast; `detail` has the rest of each
    /// exchange.
    ///
    /// `detail.format` is the version of its JSON columns (``StoredParts``). `detail.checks` has the checks that hooks reported (``StoredCheck``), because
    /// only the hook can repeat them. `identity` is recorded in the folder of the bodies, too.
    ///
    /// The full-text index uses `detail = column`, which records the column of a word and not its position: it needs a third of the
    /// space and finds prefixes that match many words three times as fast.
    private static let exchanges = """
        CREATE TABLE exchange (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,
            startedAt REAL NOT NULL,
            workspace TEXT,
            service TEXT COLLATE NOCASE,
            target TEXT COLLATE NOCASE,
            environment TEXT COLLATE NOCASE,
            run TEXT COLLATE NOCASE,
            kind TEXT NOT NULL,
            method TEXT NOT NULL COLLATE NOCASE,
            url TEXT NOT NULL,
            outcome TEXT NOT NULL,
            status INTEGER NOT NULL DEFAULT 0,
            error TEXT,
            duration REAL NOT NULL,
            sentBytes INTEGER NOT NULL,
            receivedBytes INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            requestDigest TEXT,
            answerDigest TEXT,
            inlineBytes INTEGER NOT NULL DEFAULT 0,
            tags TEXT NOT NULL DEFAULT '',
            note TEXT NOT NULL DEFAULT '',
            isPinned INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX exchangeOfID ON exchange (id);
        CREATE INDEX exchangeOfStart ON exchange (startedAt);
        CREATE INDEX exchangeOfWorkspace ON exchange (workspace) WHERE workspace IS NOT NULL;
        CREATE INDEX exchangeOfService ON exchange (service) WHERE service IS NOT NULL;
        CREATE INDEX exchangeOfTarget ON exchange (target) WHERE target IS NOT NULL;
        CREATE INDEX exchangeOfEnvironment ON exchange (environment) WHERE environment IS NOT NULL;
        CREATE INDEX exchangeOfRun ON exchange (run) WHERE run IS NOT NULL;
        CREATE INDEX exchangeOfMethod ON exchange (method);
        CREATE INDEX exchangeOfStatus ON exchange (status);
        CREATE INDEX exchangeOfOutcome ON exchange (outcome);
        CREATE INDEX exchangeOfKind ON exchange (kind);
        CREATE INDEX exchangeOfRequestDigest ON exchange (requestDigest) WHERE requestDigest IS NOT NULL;
        CREATE INDEX exchangeOfAnswerDigest ON exchange (answerDigest) WHERE answerDigest IS NOT NULL;
        CREATE INDEX exchangeTagged ON exchange (number) WHERE tags <> '';
        CREATE INDEX exchangePinned ON exchange (number) WHERE isPinned;
        CREATE TABLE detail (
            number INTEGER PRIMARY KEY REFERENCES exchange (number) ON DELETE CASCADE,
            request TEXT NOT NULL,
            origin TEXT,
            sentHeaders TEXT NOT NULL,
            answer TEXT,
            attempts TEXT NOT NULL,
            timing TEXT NOT NULL,
            error TEXT,
            value TEXT,
            sentFiles TEXT,
            file TEXT,
            requestBytes BLOB,
            answerBytes BLOB,
            missingRequestBody TEXT,
            missingBody TEXT,
            format INTEGER NOT NULL,
            checks TEXT
        );
        CREATE TABLE body (digest TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
        CREATE VIRTUAL TABLE search USING fts5 (url, headers, body, tokenize = 'unicode61', prefix = '1 2 3', detail = column);
        CREATE TABLE identity (id TEXT NOT NULL);
        INSERT INTO identity VALUES (lower(hex(randomblob(16))));
        """
}

/// The SQLite library of the history.
package enum SQLiteVersion {
    /// The version that the program uses, such as `3.40.1`.
    ///
    /// - Throws: An error of SQLite when no database in memory can be opened.
    package static func current() throws -> String {
        try DatabaseQueue().read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") } ?? "unknown"
    }
}
