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

    /// Draws the field in the last row of an area, with the previous text as its placeholder, and the mode, the key that changes it or what is wrong with the text.
    func draw(on canvas: inout Canvas, in rect: Rect, mode: SearchMode, hint: String = "") {
        guard rect.height > 0 else { return }
        let point = Point(column: rect.column, row: rect.endRow - 1)
        canvas.fill(Rect(column: rect.column, row: point.row, width: rect.width, height: 1))
        canvas.write("/", at: point, style: .key, width: rect.width)
        let problem = mode.problem(field.text)
        let label = mode.label.isEmpty ? hint : mode.label
        let note = CellWidth.truncated(problem ?? label, to: max(0, problem == nil ? rect.width / 3 : rect.width * 3 / 4))
        let width = rect.width - 1 - (note.isEmpty ? 0 : CellWidth.width(of: note) + 1)
        field.draw(on: &canvas, at: point.moved(columns: 1), width: width, placeholder: previous ?? "search")
        let style: Style = problem != nil ? .error : mode.label.isEmpty ? .muted : .info
        canvas.write(note, at: point.moved(columns: 2 + width), style: style, width: max(0, rect.width - 2 - width))
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
        let search = LineSearch(searchTerm: text, mode: searchMode(place))
        // The field shows what is wrong with an invalid pattern.
        guard !search.isInvalid else {
            pane.searchChanged(isEmpty: true, &self)
            return []
        }
        return pane.find(search, forward: forward, includingHere: includingHere, &self)
    }

    /// Shows a message when a search found nothing.
    mutating func reportSearch(_ isFound: Bool, _ text: String) {
        guard !isFound else { return }
        var hint = ""
        if popups.isEmpty, let place = focusedPane.searchPlace, !searchMode(place).isPattern, Self.resemblesPattern(text) {
            hint = "; \(searchEntry == nil ? "\(key(.search)) and " : "")\(key(.toggleSearchPattern)) search it as a regular expression"
        }
        toast = Toast("“\(text)” is not here\(hint)", .warning)
    }

    /// Whether a text has signs that mean something else in a regular expression, and is a valid one.
    private static func resemblesPattern(_ text: String) -> Bool {
        let signs = [".*", ".+", "\\d", "\\w", "\\s", "\\b", "[", "(", "|", "^", "$", "+", "?"]
        return signs.contains { text.contains($0) } && SearchMode(isPattern: true).problem(text) == nil
    }

    /// The reason why there is no next match.
    var noSearchReason: String? {
        guard let place = focusedPane.searchPlace else {
            return focus == .services ? "Services filters: press \(key(.search))" : "There is nothing to search here"
        }
        return searchTerms[place] == nil ? "Nothing was searched here yet; press \(key(.search))" : nil
    }
}
