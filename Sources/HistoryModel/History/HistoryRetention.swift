/// How much of the history is kept; what is pinned stays, whatever this says.
public struct HistoryRetention: Hashable, Sendable {
    /// How old an exchange may get, in seconds; nil for any age.
    public var age: Double?
    /// The most exchanges; nil for any number.
    public var count: Int?
    /// The most bytes of all bodies together; nil for any.
    public var bytes: Int64?

    /// What is kept.
    public init(age: Double? = nil, count: Int? = nil, bytes: Int64? = nil) {
        self.age = age
        self.count = count
        self.bytes = bytes
    }

    /// What holds where nobody says anything: half a year, 200,000 exchanges, 2 GB of bodies.
    public static let standard = HistoryRetention(age: 180 * 86_400, count: 200_000, bytes: 2_000_000_000)
}
