/// The limits of the history; pinned exchanges are never removed.
package struct HistoryRetention: Hashable, Sendable {
    /// The maximum age of an exchange in seconds; nil for no limit.
    package var age: Double?
    /// The maximum number of exchanges; nil for no limit.
    package var count: Int?
    /// The maximum size of all bodies together in bytes; nil for no limit.
    package var bytes: Int64?

    /// Creates limits.
    package init(age: Double? = nil, count: Int? = nil, bytes: Int64? = nil) {
        (self.age, self.count, self.bytes) = (age, count, bytes)
    }

    /// The default limits: half a year, 200,000 exchanges, 2 GB of bodies.
    package static let standard = HistoryRetention(age: 180 * 86_400, count: 200_000, bytes: 2_000_000_000)
}
