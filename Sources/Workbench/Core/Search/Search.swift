internal import BodyViews
internal import SortieBase
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

    /// Searches the rows of a pane from one of them on, and shows a message when it finds nothing.
    ///
    /// - Returns: The index of the row that was found.
    mutating func find(
        _ search: LineSearch, in count: Int, from row: Int, forward: Bool, includingHere: Bool, text: (Int) -> String
    ) -> Int? {
        let found = search.next(in: count, from: max(0, row), forward: forward, includingStart: includingHere, line: text)
        reportSearch(found != nil, search.searchTerm)
        return found
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
            return focus == .services ? "Nothing is searched here; \(key(.search)) filters the services" : "There is nothing to search here"
        }
        return searchTerms[place] == nil ? "Nothing was searched here yet; press \(key(.search))" : nil
    }
}

/// Finds a text or a regular expression in lines.
///
/// A text without capitals ignores case.
struct LineSearch {
    /// The greatest number of steps for one line.
    private static let stepLimit = 200_000

    let searchTerm: String
    private let ignoresCase: Bool
    /// The regular expression; nil for a text.
    private let pattern: PatternSearch?
    /// Whether the text is an invalid regular expression, which matches nothing.
    let isInvalid: Bool

    init(searchTerm: String, mode: SearchMode = SearchMode()) {
        self.searchTerm = searchTerm
        let search = mode.search(searchTerm)
        ignoresCase = mode == SearchMode() ? !searchTerm.contains { $0.isUppercase } : search.isCaseInsensitive
        do throws(PatternError) {
            pattern = try search.pattern().map { PatternSearch($0) }
            isInvalid = false
        } catch {
            (pattern, isInvalid) = (nil, true)
        }
    }

    func matches(_ line: String) -> Bool {
        guard !searchTerm.isEmpty, !isInvalid else { return false }
        guard pattern != nil else { return ignoresCase ? line.lowercased().contains(searchTerm.lowercased()) : line.contains(searchTerm) }
        return !ranges(in: line).isEmpty
    }

    /// The matches in a line, in order and without overlaps.
    func ranges(in line: String) -> [Range<String.Index>] {
        guard !searchTerm.isEmpty, !isInvalid else { return [] }
        guard let pattern else { return plainRanges(in: line) }
        var line = line
        var steps = Self.stepLimit
        let found = line.withUTF8 { bytes in
            var found: [Range<Int>] = []
            let buffer = UnsafeRawBufferPointer(bytes)
            var start = 0
            // The rest of a line that exceeds the budget is not searched.
            do throws(PatternError) {
                while let match = try pattern.first(in: buffer, 0..<buffer.count, from: start, steps: &steps, isStopped: { false }) {
                    found.append(match)
                    start = match.upperBound
                }
            } catch {}
            return found
        }
        return found.map { line.utf8.index(line.startIndex, offsetBy: $0.lowerBound)..<line.utf8.index(line.startIndex, offsetBy: $0.upperBound) }
    }

    private func plainRanges(in line: String) -> [Range<String.Index>] {
        var found: [Range<String.Index>] = []
        let wanted = Array(ignoresCase ? searchTerm.lowercased() : searchTerm)
        let indices = Array(line.indices)
        let characters = indices.map { ignoresCase ? line[$0].lowercased() : String(line[$0]) }
        guard !wanted.isEmpty, characters.count >= wanted.count else { return [] }
        var start = 0
        while start + wanted.count <= characters.count {
            if (0..<wanted.count).allSatisfy({ characters[start + $0] == String(wanted[$0]) }) {
                let end = start + wanted.count
                found.append(indices[start]..<(end < indices.count ? indices[end] : line.endIndex))
                start = end
            } else {
                start += 1
            }
        }
        return found
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

/// How the search text of a place is compared.
struct SearchMode: Hashable, Sendable {
    /// Whether the text is a regular expression.
    var isPattern = false
    /// Whether `a` never matches `A`; otherwise it does in a text without capitals.
    var matchesCase = false

    /// The search of a text.
    func search(_ text: String) -> BodySearch { BodySearch(text, caseInsensitive: matchesCase ? false : nil, isPattern: isPattern) }

    /// Why a text is no regular expression, with the position; nil where it is valid or a plain text.
    func problem(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(PatternError) { _ = try search(text).pattern() } catch { return error.message }
        return nil
    }

    /// The names of what differs from a plain search, such as `regex · case`.
    var label: String { [isPattern ? "regex" : nil, matchesCase ? "case" : nil].compactMap(\.self).joined(separator: " · ") }
}

/// The modes of the searches, by place.
struct SearchModesState: FeatureState {
    var byPlace: [SearchPlace: SearchMode] = [:]
}

extension Command {
    static let toggleSearchPattern = Command.named("toggleSearchPattern", isInPalette: false)
    static let toggleSearchCase = Command.named("toggleSearchCase", isInPalette: false)
}

/// The modes of a search.
struct SearchFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.entry, [.alt("r")], .toggleSearchPattern, "Regex", "Search a regular expression, or plain text", hint: 3, unless: Self.noSearch),
            Binding(.entry, [.alt("c")], .toggleSearchCase, "Case", "Match the case exactly, or only of capitals", hint: 4, unless: Self.noSearch),
        ]
    }

    private static func noSearch(_ state: AppState) -> String? {
        guard state.searchEntry == nil else { return nil }
        return state.popup is any ReadingPopup ? "The search of a window compares plain text" : "A filter compares plain text"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard let place = state.searchEntry?.place else { return nil }
        var mode = state.searchMode(place)
        switch command {
        case .toggleSearchPattern: mode.isPattern.toggle()
        case .toggleSearchCase: mode.matchesCase.toggle()
        default: return nil
        }
        state.states[SearchModesState.self].byPlace[place] = mode
        state.focusedPane.searchChanged(isEmpty: true, &state)
        return state.find(forward: true, includingHere: true)
    }
}

extension AppState {
    /// How the search text of a place is compared.
    func searchMode(_ place: SearchPlace) -> SearchMode { states[SearchModesState.self].byPlace[place] ?? SearchMode() }

    /// The search of a place in lines; nil while nothing is searched there.
    func lineSearch(_ place: SearchPlace) -> LineSearch? {
        searchTerms[place].map { LineSearch(searchTerm: $0, mode: searchMode(place)) }
    }

    /// The search of a place in a body; nil while nothing is searched there, and for an invalid pattern.
    func bodySearch(_ place: SearchPlace) -> BodySearch? {
        guard let text = searchTerms[place] else { return nil }
        let mode = searchMode(place)
        return mode.problem(text) == nil ? mode.search(text) : nil
    }
}
