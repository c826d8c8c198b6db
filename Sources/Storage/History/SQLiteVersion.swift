internal import GRDB

/// The SQLite library of the history.
package enum SQLiteVersion {
    /// The version that the program uses, such as `3.40.1`.
    ///
    /// - Throws: An error of SQLite when no database in memory can be opened.
    package static func current() throws -> String {
        try DatabaseQueue().read { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") } ?? "unknown"
    }
}
