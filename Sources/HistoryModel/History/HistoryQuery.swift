/// A query for a section of the history's list, newest first.
package struct HistoryQuery: Hashable, Sendable {
    /// The position of the section.
    package enum Place: Hashable, Sendable {
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
    package var filter: HistoryFilter
    /// The position in the list.
    package var place: Place
    /// The maximum number of rows.
    package var limit: Int

    /// Creates a query.
    package init(_ filter: HistoryFilter = HistoryFilter(), at place: Place = .newest, limit: Int = 200) {
        self.filter = filter
        self.place = place
        self.limit = limit
    }
}

/// The result of a query.
package struct HistoryPage: Hashable, Sendable {
    /// The rows, newest first for every position.
    package var items: [HistoryItem]
    /// Whether newer exchanges match the filter.
    package var hasNewer: Bool
    /// Whether older exchanges match the filter.
    package var hasOlder: Bool

    /// Creates a result.
    package init(items: [HistoryItem] = [], hasNewer: Bool = false, hasOlder: Bool = false) {
        self.items = items
        self.hasNewer = hasNewer
        self.hasOlder = hasOlder
    }
}
