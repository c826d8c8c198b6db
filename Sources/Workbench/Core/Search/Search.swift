internal import SortieTerminal

/// A place with a separate search text.
struct SearchPlace: Hashable, Sendable {
    let name: String

    init(_ name: String) {
        self.name = name
    }
}

/// A search text that is being typed.
struct SearchEntry: Hashable, Sendable {
    var place: SearchPlace
    var field = TextField()
    /// The previous search text, which Esc restores.
    var previous: String?

    /// Draws the field in the last row of an area, with the previous text as its placeholder.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.height > 0 else { return }
        let point = Point(column: rect.column, row: rect.endRow - 1)
        canvas.fill(Rect(column: rect.column, row: point.row, width: rect.width, height: 1))
        canvas.write("/", at: point, style: .key, width: rect.width)
        field.draw(on: &canvas, at: point.moved(columns: 1), width: rect.width - 1, placeholder: previous ?? "search")
    }
}

/// Search in the focused pane.
extension AppState {
    mutating func startSearch() {
        guard let place = focusedPane.searchPlace else {
            toast = Toast("There is nothing to search here", .warning)
            return
        }
        searchEntry = SearchEntry(place: place, previous: searchTerms[place])
    }

    /// Searches from the current position while the text is typed.
    mutating func typeSearch(_ change: TextChange) -> [Effect] {
        guard var entry = searchEntry else { return [] }
        entry.field.apply(change)
        searchEntry = entry
        searchTerms[entry.place] = entry.field.isEmpty ? nil : entry.field.text
        focusedPane.searchChanged(isEmpty: entry.field.isEmpty, &self)
        return find(forward: true, includingHere: true)
    }

    mutating func acceptSearch() {
        guard let entry = searchEntry else { return }
        searchEntry = nil
        // Enter with an empty text repeats the previous search.
        if entry.field.isEmpty { searchTerms[entry.place] = entry.previous }
    }

    mutating func leaveSearch() {
        guard let entry = searchEntry else { return }
        searchEntry = nil
        searchTerms[entry.place] = entry.previous
        focusedPane.searchChanged(isEmpty: true, &self)
    }

    mutating func find(forward: Bool, includingHere: Bool) -> [Effect] {
        let pane = focusedPane
        guard let place = pane.searchPlace, let text = searchTerms[place] else { return [] }
        return pane.find(LineSearch(searchTerm: text), forward: forward, includingHere: includingHere, &self)
    }

    /// Shows a message when a search found nothing.
    mutating func reportSearch(_ isFound: Bool, _ text: String) {
        if !isFound { toast = Toast("“\(text)” is not here", .warning) }
    }

    /// The reason why there is no next match.
    var noSearchReason: String? {
        guard let place = focusedPane.searchPlace else {
            return focus == .services ? "Services filters: press \(key(.search))" : "There is nothing to search here"
        }
        return searchTerms[place] == nil ? "Nothing was searched here yet; press \(key(.search))" : nil
    }
}

/// Finds a text in lines.
///
/// A text without capitals ignores case.
struct LineSearch {
    var searchTerm: String

    func matches(_ line: String) -> Bool {
        guard !searchTerm.isEmpty else { return false }
        let ignoresCase = !searchTerm.contains { $0.isUppercase }
        return ignoresCase ? line.lowercased().contains(searchTerm) : line.contains(searchTerm)
    }

    /// The index of the next matching line, wrapping around.
    func next(in count: Int, from start: Int, forward: Bool, includingStart: Bool, line: (Int) -> String) -> Int? {
        guard count > 0, !searchTerm.isEmpty else { return nil }
        let first = includingStart ? 0 : 1
        for distance in first...count {
            let index = ((start + (forward ? distance : -distance)) % count + count) % count
            if matches(line(index)) { return index }
        }
        return nil
    }
}
