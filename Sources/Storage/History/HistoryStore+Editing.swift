internal import Dispatch
internal import GRDB

extension HistoryStore {
    /// Pins exchanges, which exempts them from pruning, or unpins them.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func setPinned(_ numbers: [Int64], _ isPinned: Bool) throws(WorkspaceError) {
        try changing { db in
            for number in numbers {
                try db.execute(sql: "UPDATE exchange SET isPinned = ? WHERE number = ?", arguments: [isPinned, number])
            }
        }
    }

    /// Replaces the tags of an exchange.
    ///
    /// A tag that contains whitespace is split.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func setTags(_ number: Int64, _ tags: [String]) throws(WorkspaceError) {
        var seen: Set<String> = []
        let words = tags.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init).filter { seen.insert($0).inserted }
        try changing { db in
            try db.execute(sql: "UPDATE exchange SET tags = ? WHERE number = ?", arguments: [words.joined(separator: " "), number])
        }
    }

    /// Replaces the user's note on an exchange.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func setNote(_ number: Int64, _ note: String) throws(WorkspaceError) {
        try changing { db in try db.execute(sql: "UPDATE exchange SET note = ? WHERE number = ?", arguments: [note, number]) }
    }

    /// Deletes exchanges, and bodies that no other exchange has.
    ///
    /// - Throws: `unwritable` when the history cannot be written.
    package func delete(_ numbers: [Int64]) throws(WorkspaceError) {
        _ = try changing { db in try self.remove(numbers, db) }
        _ = removeUnnamedBodies()
    }

    /// Changes rows on the store's queue, after the pending exchanges are written.
    ///
    /// - Parameter tells: Whether observers are notified.
    @discardableResult
    func changing<Value>(tells: Bool = true, _ work: (Database) throws -> Value) throws(WorkspaceError) -> Value {
        guard let writer = database.writer else {
            throw problem ?? WorkspaceError(.unwritable, file: path, "the history can only be read")
        }
        let result = queue.sync {
            write()
            return Result { try writer.write(work) }
        }
        do {
            let value = try result.get()
            if tells { tell(.written) }
            return value
        } catch { throw HistoryTrouble.working(path, error, whileWriting: true) }
    }

    /// Removes rows and returns their number.
    ///
    /// The files of their bodies stay.
    func remove(_ numbers: [Int64], _ db: Database) throws -> Int {
        var rows = 0
        for number in numbers {
            try db.cachedStatement(sql: "DELETE FROM search WHERE rowid = ?").execute(arguments: [number])
            try db.cachedStatement(sql: "DELETE FROM exchange WHERE number = ?").execute(arguments: [number])
            rows += db.changesCount
        }
        return rows
    }
}
