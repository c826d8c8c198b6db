internal import SortieTerminal

/// A list in a popup: choices, commands, keys or problems.
struct ListPopup: Popup {
    /// What a row does when it is chosen; the popup is closed before.
    typealias Choice = @Sendable (inout AppState) -> [Effect]

    /// A row of the list.
    struct Item: Sendable {
        /// The key or mark on the left.
        var key = ""
        /// A short name before the label; empty in most lists.
        var name = ""
        var label: String
        var detail = ""
        /// Where the row applies, at the right edge.
        var place = ""
        /// Other words that the filter finds.
        var keywords: [String] = []
        /// Whether the row is the current value.
        var isCurrent = false
        /// Whether choosing the row has no effect now; the detail is the reason.
        var isUnavailable = false
        /// The action of the row; nil for a heading.
        var choice: Choice?

        /// The score of a filter text, higher is better; nil when nothing in the row matches.
        ///
        /// Matches in a name or a keyword rank above matches in the label, of which in a row with a name only the starts of words count; of
        /// equal matches that in the name is the better one; a row that cannot be chosen ranks last.
        fileprivate func score(of text: String) -> Int? {
            func score(_ word: String, bonus: Int) -> Int? {
                FuzzyMatch.score(of: text, in: word).map { $0 + (word.lowercased() == text.lowercased() ? 2000 : bonus) }
            }
            let ofNames = [name.isEmpty ? nil : score(name, bonus: 320)].compactMap(\.self) + keywords.compactMap { score($0, bonus: 300) }
            let isInLabel = name.isEmpty || FuzzyMatch.isMadeOfWordStarts(text, in: label)
            let best = (ofNames + [isInLabel ? FuzzyMatch.score(of: text, in: label) : nil].compactMap(\.self)).max()
            return best.map { $0 - (isUnavailable ? 1000 : 0) }
        }

        /// Creates a row that can be selected, and closes the list when it is chosen.
        static func plain(key: String = "", label: String, detail: String = "", isCurrent: Bool = false) -> Item {
            Item(key: key, label: label, detail: detail, isCurrent: isCurrent) { _ in [] }
        }
    }

    var title: String
    /// A message above the rows.
    var message = ""
    var items: [Item]
    /// The filter of the rows; nil for a list without one.
    var filter: TextField?
    var selected = 0
    /// Whether the full detail of the selected row is shown below the rows.
    var showsDetail = false
    var guideAddress: String?
    /// The text of an empty list.
    var emptyText = "Nothing matches."
    /// The rows for a filter text, in place of those of ``items`` that match it; nil for a list with fixed rows.
    var source: (@Sendable (String) -> [Item])?

    /// The rows that match the filter, the best first; all rows without a filter.
    var shown: [Item] {
        guard let filter, !filter.isEmpty, source == nil else { return items }
        let scored = items.enumerated().compactMap { index, item -> (score: Int, index: Int, item: Item)? in
            guard item.choice != nil, let score = item.score(of: filter.text) else { return nil }
            return (score, index, item)
        }
        return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.map(\.item)
    }

    /// Moves the selection to the nearest row that can be chosen.
    mutating func move(_ movement: Movement, page: Int) {
        let rows = shown
        guard !rows.isEmpty else { return }
        let target = movement.target(from: selected, count: rows.count, page: page)
        let isDownward = target > selected || movement == .first
        let ahead = isDownward ? Array(target..<rows.count) : Array((0...target).reversed())
        let behind = isDownward ? Array((0..<target).reversed()) : Array(target..<rows.count)
        // A list without choices, such as help, still scrolls.
        selected = (ahead + behind).first { rows[$0].choice != nil } ?? target
    }

    /// The row that Enter chooses.
    var chosen: Item? {
        let rows = shown
        return rows.indices.contains(selected) ? rows[selected] : nil
    }

    /// Selects the current value, or the first row that can be chosen.
    mutating func selectCurrent() {
        selected = items.firstIndex { $0.isCurrent } ?? items.firstIndex { $0.choice != nil } ?? 0
    }

    // MARK: Popup

    var contexts: [Context] { filter == nil ? [.popup, .menu] : [.popup, .field] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, page: rows(in: frame(in: state.popupArea)).height)
        case .choose:
            guard let choice = chosen?.choice else { break }
            state.popups.pop()
            return choice(&state)
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { filter.map { TypedText($0) } }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        filter?.apply(change)
        if let source, let filter { items = source(filter.text) }
        selected = 0
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown: move(mouse.kind == .scrollUp ? .up : .down, page: 1)
        case .press:
            let frame = frame(in: state.popupArea)
            guard frame.contains(mouse.position) else {
                state.popups.removeAll()
                break
            }
            let rows = rows(in: frame)
            let index = mouse.position.row - rows.row + top(height: rows.height)
            guard rows.contains(mouse.position), shown.indices.contains(index), shown[index].choice != nil else { break }
            selected = index
            return perform(.choose, &state) ?? []
        case .release, .drag, .doubleClick: break
        }
        return []
    }
}

/// Draws the list.
extension ListPopup {
    func frame(in area: Rect) -> Rect {
        let columns = columns
        let widest = items.reduce(30) { max($0, rowWidth($1, columns) + 4) }
        // On a small screen the list needs every column and every row.
        let margin = area.width < 60 ? 0 : 4
        // Rows that change with the filter do not change the size.
        let width = min(source == nil ? max(widest, CellWidth.width(of: message) + 4) : 110, max(20, area.width - margin), 110)
        let extra = messageLines(width: width - 4).count + (filter == nil ? 0 : 1) + detailHeight(width: width - 4)
        let room = area.height < 14 ? area.height : max(5, area.height - 2)
        return area.centered(Size(width: width, height: source == nil ? min(max(3, items.count + 2 + extra), room) : room))
    }

    /// The area of the rows.
    func rows(in frame: Rect) -> Rect {
        let inner = frame.inset(columns: 2, rows: 1)
        let around = linesAround(inner)
        return inner.split(topHeight: around.message + (filter == nil ? 0 : 1)).bottom.split(bottomHeight: around.detail).top
    }

    /// The number of lines for the message and for the detail, which leave at least two rows of the list where the area has them.
    ///
    /// The message of a question, which has no filter, is shown whole.
    private func linesAround(_ inner: Rect) -> (message: Int, detail: Int) {
        // Where there are few rows, only the lines that the selected row needs are taken from the list.
        let ofSelected = detail(width: inner.width).map { WrappedText.lines($0, width: inner.width).count } ?? 0
        let wanted = (
            message: messageLines(width: inner.width).count,
            detail: inner.height < 10 ? ofSelected : detailHeight(width: inner.width)
        )
        let room = max(0, inner.height - (filter == nil ? 0 : 1) - 2)
        let message = filter == nil ? wanted.message : min(wanted.message, max(room / 2, room - wanted.detail))
        return (message, min(wanted.detail, max(0, room - message)))
    }

    /// The message above the rows, wrapped.
    private func messageLines(width: Int) -> [String] { message.isEmpty ? [] : Array(WrappedText.lines(message, width: width).prefix(3)) }

    /// The number of lines below the rows for the detail of the selected row, or for its whole text where rows are cut.
    private func detailHeight(width: Int) -> Int {
        if items.isEmpty { return 0 }
        if showsDetail { return 3 }
        let columns = columns
        let cut = items.filter { isCut($0, columns, width: width) }.map { CellWidth.width(of: Self.wholeText(of: $0)) }.max()
        return cut.map { min(4, $0 / max(1, width) + 1) } ?? 0
    }

    /// Whether a row of this width does not show the whole item.
    private func isCut(_ item: Item, _ columns: Columns, width: Int) -> Bool {
        guard item.choice != nil else { return false }
        let key = columns.key > 0 ? columns.key + 2 + (item.isCurrent ? 2 : 0) : 2
        let name = columns.name > 0 ? columns.name + 2 : 0
        let detail = item.detail.isEmpty ? 0 : CellWidth.width(of: item.detail) + 2
        return key + name + CellWidth.width(of: item.label) + detail > labelRoom(item, width: width) || CellWidth.width(of: item.name) > columns.name
    }

    /// The room for the item without its place at the right edge.
    private func labelRoom(_ item: Item, width: Int) -> Int {
        let place = item.place.isEmpty ? 0 : CellWidth.width(of: item.place) + 2
        return width - place >= 40 ? width - place : width
    }

    private static func wholeText(of item: Item) -> String {
        // Most of a name is in the row.
        [item.label, item.detail, item.name, item.place].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The text below the rows about the selected row.
    private func detail(width: Int) -> String? {
        chosen.flatMap { item in
            if isCut(item, columns, width: width) { return Self.wholeText(of: item) }
            return showsDetail ? item.detail : nil
        }
    }

    func top(height: Int) -> Int { Window.limited(selected - height * 2 / 3, count: shown.count, height: height) }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = frame(in: state.popupArea)
        canvas.fill(frame, style: .overlay)
        canvas.box(frame, title: [Span(title, .titleFocused)], trailing: state.closingHint, style: .borderFocused)
        let inner = frame.inset(columns: 2, rows: 1)
        var row = inner.row
        let around = linesAround(inner)
        for line in messageLines(width: inner.width).prefix(around.message) {
            canvas.write(line, at: Point(column: inner.column, row: row), style: .warning, width: inner.width)
            row += 1
        }
        if let filter {
            filter.draw(on: &canvas, at: Point(column: inner.column, row: row), width: inner.width, placeholder: "type a name")
        }
        let rows = rows(in: frame)
        let shown = shown
        if shown.isEmpty { canvas.writeHint([emptyText], in: rows) }
        let top = top(height: rows.height)
        let columns = columns
        for offset in 0..<max(0, rows.height) where top + offset < shown.count {
            let line = Rect(column: rows.column, row: rows.row + offset, width: rows.width, height: 1)
            draw(shown[top + offset], columns, on: &canvas, in: line)
            if top + offset == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        if shown.count > rows.height, rows.height > 0 {
            let text = " \(selected + 1)/\(shown.count) "
            let column = frame.endColumn - 2 - CellWidth.width(of: text)
            canvas.write(text, at: Point(column: column, row: frame.endRow - 1), style: .muted, width: max(0, frame.endColumn - 1 - column))
        }
        guard let detail = detail(width: rows.width) else { return }
        for (offset, line) in WrappedText.lines(detail, width: rows.width).prefix(around.detail).enumerated() {
            canvas.write(line, at: Point(column: rows.column, row: rows.endRow + offset), width: rows.width)
        }
    }

    private func draw(_ item: Item, _ columns: Columns, on canvas: inout Canvas, in line: Rect) {
        if item.choice == nil {
            canvas.write(item.label, at: line.origin, style: .title, width: line.width)
            return
        }
        var spans: [Span] = []
        if columns.key > 0 { spans.append(Span(ColumnText.padded(item.key, to: columns.key) + "  ", .key)) }
        spans.append(Span(item.isCurrent ? "• " : columns.key > 0 ? "" : "  ", .accent))
        if columns.name > 0 {
            spans.append(Span(ColumnText.padded(item.name, to: columns.name) + "  ", item.isUnavailable ? .muted : .strong))
        }
        spans.append(Span(item.label, item.isUnavailable || columns.name > 0 ? .muted : .text))
        if !item.detail.isEmpty { spans.append(Span("  " + item.detail, columns.name > 0 ? .warning : .muted)) }
        let room = labelRoom(item, width: line.width)
        canvas.write(spans, at: line.origin, width: room)
        if room < line.width { canvas.write(item.place, at: line.origin.moved(columns: room + 2), style: .muted) }
    }

    /// The widths of the columns of keys and of names, which all rows share.
    private typealias Columns = (key: Int, name: Int)

    private var columns: Columns {
        func widest(_ text: KeyPath<Item, String>) -> Int { min(20, items.reduce(0) { max($0, CellWidth.width(of: $1[keyPath: text])) }) }
        return (widest(\.key), widest(\.name))
    }

    private func rowWidth(_ item: Item, _ columns: Columns) -> Int {
        let name = columns.name > 0 ? columns.name + 2 : 0
        let place = item.place.isEmpty ? 0 : CellWidth.width(of: item.place) + 2
        let label = CellWidth.width(of: item.label)
        return columns.key + 2 + name + place + label + (item.detail.isEmpty ? 0 : min(60, CellWidth.width(of: item.detail)) + 2)
    }
}
