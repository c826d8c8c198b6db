internal import SortieTerminal

/// A text in a popup, for reading and copying.
struct ReadingText {
    var title: String
    var subtitle: String
    /// The lines, wrapped to the width.
    var lines: [[Span]]
    /// The parts that Enter opens, in their order; empty for a text that is only read.
    var parts: [Part] = []

    /// Lines about something that can be opened.
    struct Part: Sendable {
        var lines: Range<Int>
        /// Opens it, and closes the popup where there is something to open.
        var open: @Sendable (inout AppState) -> [Effect]
    }
}

/// A popup with a text, which is laid out for the current size and state.
protocol ReadingPopup: Popup {
    /// The position, and the search in the text.
    var position: ReadingPosition { get set }
    /// The name of the text in messages.
    var name: String { get }

    /// The text, wrapped to a width.
    func text(width: Int, _ state: AppState) -> ReadingText

    /// The text for the clipboard.
    func plainText(_ state: AppState) -> String

    /// Begins a search in the text.
    mutating func startSearch(_ state: inout AppState)
}

extension ReadingPopup {
    var contexts: [Context] { position.entry == nil ? [.reading] : Context.typingSearch }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, state)
        case .choose: return open(&state)
        case .search: startSearch(&state)
        case .nextMatch: find(forward: true, includingHere: false, &state)
        case .previousMatch: find(forward: false, includingHere: false, &state)
        case .accept, .leave: position.endSearch(accepts: command == .accept)
        case .copy: return state.copy(plainText(state), name)
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    mutating func startSearch(_ state: inout AppState) { position.startSearch() }

    func typedText(_ state: AppState) -> TypedText? { position.entry.map { TypedText($0.field) } }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        position.type(change)
        find(forward: true, includingHere: true, &state)
        return []
    }

    private mutating func find(forward: Bool, includingHere: Bool, _ state: inout AppState) {
        let rect = state.readingRect
        let reading = text(width: rect.width - 4, state)
        let lines = reading.lines.map { $0.map(\.text).joined() }
        if !position.find(in: lines, forward: forward, includingHere: includingHere, page: rect.height - 2), let text = position.searchTerm {
            state.reportSearch(false, text)
        }
        position.selectMatch(reading.parts.map(\.lines))
    }

    /// Opens what the selected part is about; closes a text without parts.
    private func open(_ state: inout AppState) -> [Effect] {
        let parts = text(width: state.readingRect.width - 4, state).parts
        guard parts.isEmpty else { return parts[position.part(of: parts.count)].open(&state) }
        state.popups.pop()
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        if mouse.kind == .press {
            let reading = text(width: state.readingRect.width - 4, state)
            let inner = frame(reading, state).inset(columns: 2, rows: 1)
            let line = Window.limited(position.top, count: reading.lines.count, height: inner.height) + mouse.position.row - inner.row
            guard inner.contains(mouse.position), let part = reading.parts.firstIndex(where: { $0.lines.contains(line) }) else { return [] }
            position.select(part)
            return open(&state)
        }
        guard mouse.kind == .scrollUp || mouse.kind == .scrollDown else { return [] }
        for _ in 0..<3 { scroll(mouse.kind == .scrollUp ? .up : .down, state) }
        return []
    }

    func area(_ state: AppState) -> Rect { frame(text(width: state.readingRect.width - 4, state), state) }

    /// The area of a text, which is as high as the text where that is short.
    private func frame(_ text: ReadingText, _ state: AppState) -> Rect {
        let rect = state.readingRect
        return rect.centered(Size(width: rect.width, height: min(rect.height, max(6, text.lines.count + 2))))
    }

    private mutating func move(_ movement: Movement, _ state: AppState) {
        let rect = state.readingRect
        let reading = text(width: rect.width - 4, state)
        position.move(movement, among: reading.parts.map(\.lines), count: reading.lines.count, page: rect.height - 2)
    }

    private mutating func scroll(_ movement: Movement, _ state: AppState) {
        let rect = state.readingRect
        position.scroll(movement, count: text(width: rect.width - 4, state).lines.count, page: rect.height - 2)
    }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let reading = text(width: state.readingRect.width - 4, state)
        let rect = frame(reading, state)
        let lines = reading.lines
        let inner = rect.inset(columns: 2, rows: 1)
        let top = Window.limited(position.top, count: lines.count, height: inner.height)
        let selected = reading.parts.isEmpty ? nil : reading.parts[position.part(of: reading.parts.count)].lines
        var trailing = [
            Span(state.key(.copy, in: .reading), .key), Span(" copies  ", .muted), Span(state.key(.close, in: .reading), .key),
            Span(" closes", .muted),
        ]
        if lines.count > inner.height { trailing.append(Span("  \(min(lines.count, top + inner.height))/\(lines.count)", .muted)) }
        _ = canvas.popup(rect, title: [Span(reading.title, .titleFocused), Span("  " + reading.subtitle, .muted)], trailing: trailing)
        for offset in 0..<max(0, inner.height) where top + offset < lines.count {
            let line = Rect(column: inner.column, row: inner.row + offset, width: inner.width, height: 1)
            canvas.write(lines[top + offset], at: line.origin, width: inner.width)
            if selected?.contains(top + offset) == true { canvas.select(row: line.row, in: line, isFocused: true) }
            guard position.search?.matches(lines[top + offset].map(\.text).joined()) == true else { continue }
            let isCurrent = top + offset == position.match
            canvas.restyle(line) { $0.role = isCurrent ? .currentMatch : .searchMatch }
        }
        position.entry?.draw(on: &canvas, in: inner, mode: SearchMode())
    }
}

/// The position in a text in a popup, and the search in it.
struct ReadingPosition: Sendable {
    /// The first visible line.
    var top = 0
    /// The text that was searched last.
    var searchTerm: String?
    /// The search text while it is typed.
    private(set) var entry: SearchEntry?
    /// The line of the last match.
    private(set) var match: Int?
    /// The part that Enter opens.
    private var selected = 0

    var search: LineSearch? { searchTerm.map { LineSearch(searchTerm: $0) } }

    mutating func scroll(_ movement: Movement, count: Int, page: Int) {
        let lastTop = max(0, count - page)
        top = movement.target(from: min(top, lastTop), count: lastTop + 1, page: page)
    }

    /// The selected one of some parts.
    func part(of count: Int) -> Int { min(selected, max(0, count - 1)) }

    mutating func select(_ part: Int) { selected = part }

    /// Selects the part of the line that the search found.
    mutating func selectMatch(_ parts: [Range<Int>]) {
        if let match, let part = parts.firstIndex(where: { $0.contains(match) }) { selected = part }
    }

    /// Selects another part and scrolls to it; scrolls where there is none in this direction.
    mutating func move(_ movement: Movement, among parts: [Range<Int>], count: Int, page: Int) {
        let current = part(of: parts.count)
        let target = parts.isEmpty ? current : movement.target(from: current, count: parts.count, page: max(1, page / 2))
        guard target != current else { return scroll(movement, count: count, page: page) }
        selected = target
        let (first, end) = (target == 0 ? 0 : parts[target].lowerBound, target == parts.count - 1 ? count : parts[target].upperBound)
        if end > top + page { top = min(end - page, parts[target].lowerBound) }
        if first < top { top = first }
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
