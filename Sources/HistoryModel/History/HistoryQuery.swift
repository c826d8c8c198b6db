/// A stretch of the history's list, newest first.
public struct HistoryQuery: Hashable, Sendable {
    /// Where the stretch is.
    public enum Place: Hashable, Sendable {
        /// The newest.
        case newest
        /// The oldest.
        case oldest
        /// Those that are older than this number, the nearest first.
        case olderThan(Int64)
        /// Those that are newer than this number, the nearest ones.
        case newerThan(Int64)
    }

    /// Which exchanges.
    public var filter: HistoryFilter
    /// Where in the list.
    public var place: Place
    /// The most rows.
    public var limit: Int

    /// A stretch of the list.
    public init(_ filter: HistoryFilter = HistoryFilter(), at place: Place = .newest, limit: Int = 200) {
        self.filter = filter
        self.place = place
        self.limit = limit
    }
}

/// What a query found.
public struct HistoryPage: Hashable, Sendable {
    /// The rows, newest first, wherever the stretch is.
    public var items: [HistoryItem]
    /// Whether there are newer ones that the filter takes.
    public var hasNewer: Bool
    /// Whether there are older ones that the filter takes.
    public var hasOlder: Bool

    /// A stretch of the list.
    public init(items: [HistoryItem] = [], hasNewer: Bool = false, hasOlder: Bool = false) {
        self.items = items
        self.hasNewer = hasNewer
        self.hasOlder = hasOlder
    }
}
