internal import Dispatch
internal import Foundation
internal import GRDB
package import HistoryModel
internal import SortieBase
internal import Synchronization

extension HistoryStore {
    /// Removes exchanges that exceed the retention, the oldest first, and returns their space to the file system.
    ///
    /// Pinned exchanges stay and do not count.
    ///
    /// - Returns: The removed rows and bodies, including orphaned body files.
    /// - Throws: `unwritable` when the history cannot be written.
    package func prune(_ retention: HistoryRetention) throws(WorkspaceError) -> HistoryPruning {
        var result = HistoryPruning()
        defer { if result.rows > 0 { notify(.written) } }
        if let age = retention.age {
            let oldest = Date().timeIntervalSince1970 - age
            try removeAll(&result.rows) { db in
                try Int64.fetchAll(db, sql: "SELECT number FROM exchange WHERE startedAt < ? AND NOT isPinned LIMIT 500", arguments: [oldest])
            }
        }
        if let count = retention.count {
            try removeAll(&result.rows) { db in
                let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM exchange WHERE NOT isPinned") ?? 0
                return try Int64.fetchAll(
                    db, sql: "SELECT number FROM exchange WHERE NOT isPinned ORDER BY number LIMIT ?", arguments: [min(500, max(0, all - count))])
            }
        }
        if let bytes = retention.bytes { try removeAll(&result.rows) { db in try self.oldest(db, beyond: bytes) } }
        let unnamed = removeUnnamedBodies()
        let swept = sweep()
        result.bodies = unnamed.files + swept.files
        result.bytes = unnamed.bytes + swept.bytes
        if result.rows > 0 { mergeSearch(removed: result.rows) }
        giveSpaceBack()
        return result
    }

    /// Prunes the history, removes orphaned body files and returns space.
    ///
    /// Intended for idle time.
    ///
    /// - Parameter limits: The limits; nil for those of the store.
    package func tidy(_ limits: HistoryRetention? = nil) {
        guard database.mode == .file else { return }
        do { _ = try prune(limits ?? retention) } catch { notifyOnce(error) }
    }

    /// Calls ``tidy(_:)`` if some hundred exchanges were written since the last call.
    ///
    /// - Parameter limits: Returns the limits that apply now.
    package func tidyIfDue(_ limits: () -> HistoryRetention) {
        let isDue = state.withLock { Swift.exchange(&$0.isTidyDue, with: false) }
        if isDue { tidy(limits()) }
    }

    /// The size in bytes from which ``shortenLog()`` empties the write-ahead log; about ten exchanges.
    static let longLog = 1 << 20

    /// Moves a long write-ahead log into the database and empties it, for the end of a program.
    ///
    /// SQLite overwrites the log only in a process that writes again after all of it was moved. A command ends before that, so the log would grow with
    /// each command, and each one reads all of it. Nothing is done while another program uses the log.
    package func shortenLog() {
        var log = stat()
        guard keepsFiles, let writer = database.writer, stat("\(path)-wal", &log) == 0, log.st_size >= Self.longLog else { return }
        do {
            try queue.sync {
                try writer.writeWithoutTransaction { db in
                    // The end of the program does not wait for other programs.
                    try db.execute(sql: "PRAGMA busy_timeout = 0")
                    _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                    try db.execute(sql: "PRAGMA busy_timeout = 5000")
                }
            }
        } catch { notifyOnce(HistoryTrouble.working(path, error, whileWriting: true)) }
    }

    /// Removes rows in short transactions, so that recording continues meanwhile.
    ///
    /// Observers are notified once at the end.
    private func removeAll(_ rows: inout Int, _ next: @escaping (Database) throws -> [Int64]) throws(WorkspaceError) {
        while true {
            let removed = try changing(notifies: false) { db in try self.remove(next(db), db) }
            rows += removed
            if removed == 0 { return }
        }
    }

    /// The oldest exchanges whose removal brings the size of the bodies down to `limit` bytes, at most 500 at a time.
    ///
    /// Pinned exchanges do not count, and a body is removed only with the last exchange that has it.
    private func oldest(_ db: Database, beyond limit: Int64) throws -> [Int64] {
        let pinned = """
            WITH pinned (digest) AS (SELECT answerDigest FROM exchange WHERE isPinned AND answerDigest IS NOT NULL
                UNION SELECT requestDigest FROM exchange WHERE isPinned AND requestDigest IS NOT NULL)
            """
        let files = try Int64.fetchOne(
            db,
            sql: """
                \(pinned)
                SELECT coalesce(sum(size), 0) FROM body WHERE digest NOT IN pinned
                    AND (EXISTS (SELECT 1 FROM exchange WHERE answerDigest = body.digest)
                        OR EXISTS (SELECT 1 FROM exchange WHERE requestDigest = body.digest))
                """)
        let inline = try Int64.fetchOne(db, sql: "SELECT coalesce(sum(inlineBytes), 0) FROM exchange WHERE NOT isPinned")
        var excess = (files ?? 0) + (inline ?? 0) - limit
        guard excess > 0 else { return [] }
        var numbers: [Int64] = []
        func freed(_ digest: String) -> String {
            """
            coalesce((SELECT size FROM body WHERE digest = \(digest) AND digest NOT IN pinned
                AND NOT EXISTS (SELECT 1 FROM exchange AS later WHERE later.answerDigest = body.digest AND later.number > exchange.number)
                AND NOT EXISTS (SELECT 1 FROM exchange AS later WHERE later.requestDigest = body.digest AND later.number > exchange.number)), 0)
            """
        }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                \(pinned)
                SELECT number, inlineBytes + \(freed("answerDigest"))
                    + CASE WHEN requestDigest IS answerDigest THEN 0 ELSE \(freed("requestDigest")) END FROM exchange
                WHERE NOT isPinned AND (inlineBytes > 0 OR answerDigest NOT IN pinned OR requestDigest NOT IN pinned) ORDER BY number LIMIT 500
                """)
        while excess > 0, let row = try rows.next() {
            let number = try row.value(0, "number", of: 0, as: Int64.self)
            numbers.append(number)
            // A size that is none counts for nothing: the row goes because it is old.
            excess -= Int64.fromDatabaseValue(row[1]) ?? 0
        }
        return numbers
    }

    /// Removes the files of bodies that no row refers to.
    ///
    /// Does nothing while a writer holds the lock; a later sweep removes them.
    func removeUnnamedBodies() -> (files: Int, bytes: Int64) {
        guard keepsFiles, bodies.isOwn, let writer = database.writer else { return (0, 0) }
        return queue.sync {
            guard let hold = bodies.holdForRemoving() else { return (0, 0) }
            defer { withExtendedLifetime(hold) {} }
            do {
                let digests = try writer.write { db in
                    let digests = try String.fetchAll(
                        db,
                        sql: """
                            SELECT digest FROM body WHERE NOT EXISTS (SELECT 1 FROM exchange WHERE answerDigest = body.digest)
                                AND NOT EXISTS (SELECT 1 FROM exchange WHERE requestDigest = body.digest)
                            """)
                    for digest in digests { try db.execute(sql: "DELETE FROM body WHERE digest = ?", arguments: [digest]) }
                    return digests
                }
                return bodies.remove(digests)
            } catch {
                notifyOnce(HistoryTrouble.working(path, error, whileWriting: true))
                return (0, 0)
            }
        }
    }

    /// Removes files that no row refers to, such as those of a program that was killed.
    func sweep() -> (files: Int, bytes: Int64) {
        guard keepsFiles else { return (0, 0) }
        do {
            return try bodies.sweep { digests in
                try self.database.reader.read { db in
                    let statement = try db.makeStatement(
                        sql: "SELECT 1 FROM exchange WHERE answerDigest = ?1 UNION ALL SELECT 1 FROM exchange WHERE requestDigest = ?1 LIMIT 1")
                    return try Set(digests.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
                }
            }
        } catch {
            notifyOnce(HistoryTrouble.working(path, error, whileWriting: false))
            return (0, 0)
        }
    }

    /// Merges the full-text index.
    ///
    /// FTS5 only marks removed rows, and drops their entries when it merges its segments.
    private func mergeSearch(removed: Int) {
        guard keepsFiles, let writer = database.writer else { return }
        do {
            let left = try database.reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM exchange") ?? 0 }
            // A negative number merges all segments, for a large removal; a positive one merges those that are due (FTS5, “The
            // 'merge' command”).
            var pages = removed > left / 10 ? -200 : 200
            var isDone = false
            while !isDone {
                isDone = try queue.sync {
                    try writer.write { db in
                        let before = db.totalChangesCount
                        try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('merge', ?)", arguments: [pages])
                        return db.totalChangesCount - before < 2
                    }
                }
                pages = 200
            }
        } catch { notifyOnce(HistoryTrouble.working(path, error, whileWriting: true)) }
    }

    /// Returns free pages to the file system in steps, so that recording continues meanwhile.
    private func giveSpaceBack() {
        guard keepsFiles, let writer = database.writer else { return }
        do {
            var last = Int.max
            while true {
                let free = try queue.sync {
                    try writer.writeWithoutTransaction { db in
                        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                        if free > 0 { try db.execute(sql: "PRAGMA incremental_vacuum(2000)") }
                        return free
                    }
                }
                guard free > 0, free < last else { break }
                last = free
            }
            try queue.sync {
                _ = try writer.writeWithoutTransaction { db in try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            }
        } catch { notifyOnce(HistoryTrouble.working(path, error, whileWriting: true)) }
    }
}
