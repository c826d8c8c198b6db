/// A query for a section of the history's list, newest first.
public struct HistoryQuery: Hashable, Sendable {
    /// The position of the section.
    public enum Place: Hashable, Sendable {
        /// The newest exchanges.
        case newest
        /// The oldest exchanges.
        case oldest
        /// The nearest exchanges older than this number.
        case olderThan(Int64)
        /// The nearest exchanges newer than this number.
        case newerThan(Int64)
    }

    /// The filter.
    public var filter: HistoryFilter
    /// The position in the list.
    public var place: Place
    /// The maximum number of rows.
    public var limit: Int

    /// Creates a query.
    public init(_ filter: HistoryFilter = HistoryFilter(), at place: Place = .newest, limit: Int = 200) {
        self.filter = filter
        self.place = place
        self.limit = limit
    }
}

/// The result of a query.
public struct HistoryPage: Hashable, Sendable {
    /// The rows, newest first for every position.
    public var items: [HistoryItem]
    /// Whether newer exchanges match the filter.
    public var hasNewer: Bool
    /// Whether older exchanges match the filter.
    public var hasOlder: Bool

    /// Creates a result.
    public init(items: [HistoryItem] = [], hasNewer: Bool = false, hasOlder: Bool = false) {
        self.items = items
        self.hasNewer = hasNewer
        self.hasOlder = hasOlder
    }
}
