internal import GRDB

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
