/// The result of pruning the history.
package struct HistoryPruning: Hashable, Sendable {
    /// The number of removed exchanges.
    package var rows: Int
    /// The number of removed body files.
    package var bodies: Int
    /// The total size of the removed body files, in bytes.
    package var bytes: Int64

    /// Creates a result.
    package init(rows: Int = 0, bodies: Int = 0, bytes: Int64 = 0) {
        self.rows = rows
        self.bodies = bodies
        self.bytes = bytes
    }
}
