internal import GRDB

/// The tables of the history.
///
/// A released migration is never edited; changes are appended as further migrations.
enum HistorySchema {
    /// Migrates a database of any earlier version to the current one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 exchanges") { db in try db.execute(sql: exchanges) }
        migrator.registerMigration("2 annotations") { db in try db.execute(sql: annotations) }
        migrator.registerMigration(identityStep) { db in try db.execute(sql: identity) }
        migrator.registerMigration("4 formats") { db in try db.execute(sql: formats) }
        migrator.registerMigration("5 checks") { db in try db.execute(sql: checks) }
        return migrator
    }

    /// The migration that gives a database an identity, which its folder of bodies records too.
    static let identityStep = "3 identity"

    /// `exchange` has the columns of lists and filters, in short rows so that a full scan is fast; `detail` has the rest of each
    /// exchange.
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
            inlineBytes INTEGER NOT NULL DEFAULT 0
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
            missingBody TEXT
        );
        CREATE TABLE body (digest TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
        CREATE VIRTUAL TABLE search USING fts5 (url, headers, body, tokenize = 'unicode61', prefix = '1 2 3', detail = column);
        """

    private static let annotations = """
        ALTER TABLE exchange ADD COLUMN tags TEXT NOT NULL DEFAULT '';
        ALTER TABLE exchange ADD COLUMN note TEXT NOT NULL DEFAULT '';
        ALTER TABLE exchange ADD COLUMN isPinned INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX exchangeTagged ON exchange (number) WHERE tags <> '';
        CREATE INDEX exchangePinned ON exchange (number) WHERE isPinned;
        """

    private static let identity = """
        CREATE TABLE identity (id TEXT NOT NULL);
        INSERT INTO identity VALUES (lower(hex(randomblob(16))));
        """

    /// The format of the JSON columns of each row (``StoredParts``).
    ///
    /// Rows are not rewritten: a row of 0.1.0 is converted when it is opened.
    private static let formats = "ALTER TABLE detail ADD COLUMN format INTEGER NOT NULL DEFAULT 1"

    /// The checks that hooks reported (``StoredCheck``), because only the hook can repeat them; null in older rows and where there are none.
    private static let checks = "ALTER TABLE detail ADD COLUMN checks TEXT"
}
