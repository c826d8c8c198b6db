/// The result of pruning the history.
public struct HistoryPruning: Hashable, Sendable {
    /// The number of removed exchanges.
    public var rows: Int
    /// The number of removed body files.
    public var bodies: Int
    /// The total size of the removed body files, in bytes.
    public var bytes: Int64

    /// Creates a result.
    public init(rows: Int = 0, bodies: Int = 0, bytes: Int64 = 0) {
        self.rows = rows
        self.bodies = bodies
        self.bytes = bytes
    }
}
