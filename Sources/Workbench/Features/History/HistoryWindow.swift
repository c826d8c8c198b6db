internal import HistoryModel

/// The loaded part of the history's list, newest first.
struct HistoryWindow: Hashable, Sendable {
    /// The page size, the maximum number of loaded rows, and the distance from an edge at which the next page is requested.
    static let pageSize = 200
    static let limit = 600
    static let margin = 80

    /// A part of the list to request.
    enum Stretch: Hashable, Sendable {
        case newest, oldest, older, newer
        /// The loaded part again, because something in it changed.
        case again
        /// The rows around a number.
        case around(Int64)
    }

    private(set) var items: [HistoryItem] = []
    private(set) var hasNewer = false
    private(set) var hasOlder = false

    /// The index of a row, or of the nearest older one when it is not loaded.
    func index(of number: Int64) -> Int? {
        guard !items.isEmpty else { return nil }
        // Numbers decrease, so a binary search works.
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number > number { low = middle + 1 } else { high = middle }
        }
        return min(low, items.count - 1)
    }

    /// The stretch to request when a row is near an edge of the window.
    func edge(at index: Int) -> Stretch? {
        if hasOlder, items.count - index <= HistoryWindow.margin { return .older }
        if hasNewer, index < HistoryWindow.margin { return .newer }
        return nil
    }

    /// The query for a stretch.
    ///
    /// - Parameter selected: The number of the selected row; nil for the newest.
    func query(_ stretch: Stretch, filter: HistoryFilter, selected: Int64?) -> HistoryQuery {
        let size = HistoryWindow.pageSize
        switch stretch {
        case .newest: return HistoryQuery(filter, at: .newest, limit: size)
        case .oldest: return HistoryQuery(filter, at: .oldest, limit: size)
        case .older: return HistoryQuery(filter, at: items.last.map { .olderThan($0.number) } ?? .newest, limit: size)
        case .newer: return HistoryQuery(filter, at: items.first.map { .newerThan($0.number) } ?? .newest, limit: size)
        case .around(let number): return HistoryQuery(filter, at: .olderThan(number + 1), limit: size)
        case .again:
            guard let selected, let index = index(of: selected) else { return HistoryQuery(filter, at: .newest, limit: size) }
            if index <= size, !hasNewer { return HistoryQuery(filter, at: .newest, limit: min(HistoryWindow.limit, index + 2 * size)) }
            return HistoryQuery(filter, at: .olderThan(items[max(0, index - size)].number + 1), limit: 2 * size)
        }
    }

    /// Adds a page, and removes rows at the opposite edge beyond the limit.
    mutating func take(_ page: HistoryPage, _ stretch: Stretch) {
        switch stretch {
        case .newest, .oldest, .again, .around:
            (items, hasNewer, hasOlder) = (page.items, page.hasNewer, page.hasOlder)
        case .older:
            items += page.items
            hasOlder = page.hasOlder
            guard items.count > HistoryWindow.limit else { return }
            items.removeFirst(items.count - HistoryWindow.limit)
            hasNewer = true
        case .newer:
            items.insert(contentsOf: page.items, at: 0)
            hasNewer = page.hasNewer
            guard items.count > HistoryWindow.limit else { return }
            items.removeLast(items.count - HistoryWindow.limit)
            hasOlder = true
        }
    }
}
