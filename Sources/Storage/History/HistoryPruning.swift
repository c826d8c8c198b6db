/// What a pruning of the history took away.
public struct HistoryPruning: Hashable, Sendable {
    /// How many exchanges.
    public var rows: Int
    /// How many files of bodies.
    public var bodies: Int
    /// How many bytes these had.
    public var bytes: Int64

    /// What went.
    public init(rows: Int = 0, bodies: Int = 0, bytes: Int64 = 0) {
        self.rows = rows
        self.bodies = bodies
        self.bytes = bytes
    }
}
