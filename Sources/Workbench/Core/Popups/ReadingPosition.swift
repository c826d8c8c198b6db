internal import SortieTerminal

/// The position in a text in a popup, and the search in it.
struct ReadingPosition: Sendable {
    /// The first visible line.
    var top = 0
    /// The text that was searched last.
    private(set) var searchTerm: String?
    /// The search text while it is typed.
    private(set) var entry: SearchEntry?
    /// The line of the last match.
    private(set) var match: Int?

    var search: LineSearch? { searchTerm.map { LineSearch(searchTerm: $0) } }

    mutating func scroll(_ movement: Movement, count: Int, page: Int) {
        let lastTop = max(0, count - page)
        top = movement.target(from: min(top, lastTop), count: lastTop + 1, page: page)
    }

    mutating func startSearch() { entry = SearchEntry(place: SearchPlace("reading"), previous: searchTerm) }

    mutating func type(_ change: TextChange) {
        entry?.field.apply(change)
        guard let entry else { return }
        searchTerm = entry.field.isEmpty ? nil : entry.field.text
        match = nil
    }

    /// Ends typing of the search text; Enter without a text repeats the previous search, Esc restores its text.
    mutating func endSearch(accepts: Bool) {
        guard let entry else { return }
        if !accepts || entry.field.isEmpty {
            searchTerm = entry.previous
            match = nil
        }
        self.entry = nil
    }

    /// Scrolls to the next matching line; false when there is none.
    mutating func find(in lines: [String], forward: Bool, includingHere: Bool, page: Int) -> Bool {
        guard let search else { return true }
        let found = search.next(in: lines.count, from: match ?? top, forward: forward, includingStart: includingHere || match == nil) { lines[$0] }
        match = found
        if let found, !(top..<top + page ~= found) { top = max(0, min(found - page / 3, lines.count - page)) }
        return found != nil
    }
}
