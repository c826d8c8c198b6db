internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

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
        /// What a match counts less than one in a row that is more likely meant.
        var handicap = 0
        /// Whether a match in the name counts less than one in the same name of a general row.
        var isOfOtherPane = false
        /// The action of the row; nil for a heading.
        var choice: Choice?
        /// How the settings differ while the row is selected; nil for a row without a preview.
        var preview: (@Sendable (inout Settings) -> Void)?

        /// The score of a filter text, higher is better; nil when nothing in the row matches.
        ///
        /// The text itself as the name ranks first, then as a keyword. Matches in a name or a keyword rank above matches in the label, of which in a
        /// row with a name only the starts of words count; of equal matches that in the name is the better one. Several words in another order
        /// rank below them, and a row that cannot be chosen last, unless the text is its name or a keyword: its reason is what the user looks for.
        ///
        /// - Parameter isStrict: Whether scattered letters do not match, as in rows that only a filter shows.
        fileprivate func score(of text: String, isStrict: Bool) -> Int? {
            let lowercased = text.lowercased()
            func score(_ word: String, exact: Int, bonus: Int, isStrict: Bool) -> Int? {
                guard let score = FuzzyMatch.score(of: text, in: word) else { return nil }
                if (word.hasSuffix("…") ? String(word.dropLast()) : word).lowercased() == lowercased { return score + exact }
                return !isStrict || word.lowercased().contains(lowercased) || FuzzyMatch.isMadeOfWordStarts(text, in: word) ? score + bonus : nil
            }
            let ofName = name.isEmpty ? nil : score(name, exact: 2050, bonus: 320, isStrict: isStrict).map { $0 - (isOfOtherPane ? 100 : 0) }
            // Keywords are not displayed, so a row that has the letters somewhere in them seems unrelated.
            let ofKeywords = keywords.compactMap { score($0, exact: 2000, bonus: 300, isStrict: true) }.max()
            let isInLabel = name.isEmpty && !isStrict || FuzzyMatch.isMadeOfWordStarts(text, in: label)
            let ofLabel = isInLabel ? FuzzyMatch.score(of: text, in: label) : nil
            let best = [ofName, ofKeywords, ofLabel].compactMap(\.self).max() ?? (hasWords(of: lowercased) ? 20 : nil)
            return best.map { $0 - handicap - (!isUnavailable ? 0 : $0 >= 2000 ? 60 : 1000) }
        }

        /// Whether each of several words is the beginning of a word of the row.
        private func hasWords(of text: String) -> Bool {
            let wanted = text.split(separator: " ")
            let texts = [name, label] + keywords
            guard wanted.count > 1, wanted.allSatisfy({ part in texts.contains { FuzzyMatch.mayContain(part, $0) } }) else { return false }
            let words = texts.flatMap { $0.lowercased().split { !$0.isWordCharacter } }
            return wanted.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
        }

        /// Creates a row that can be selected, and closes the list when it is chosen.
        static func plain(key: String = "", label: String, detail: String = "", isCurrent: Bool = false) -> Item {
            Item(key: key, label: label, detail: detail, isCurrent: isCurrent) { _ in [] }
        }
    }

    var title: String
    /// A message above the rows.
    var message: String
    var items: [Item] { didSet { find() } }
    /// The rows that are displayed only where the filter finds them.
    private(set) var further: [Item] = []
    /// The filter of the rows; nil for a list without one.
    var filter: TextField? { didSet { if filter?.text != oldValue?.text { find() } } }
    /// The rows that match the filter, the best first; all rows without a text in it.
    private(set) var shown: [Item]
    var selected: Int
    var guideAddress: String?
    /// The text of an empty list.
    var emptyText: String
    /// The rows for a filter text, in place of those of ``items`` that match it; nil for a list with fixed rows.
    private let source: (@Sendable (String) -> [Item])?
    /// The letters that were typed to select a row, in a list without a filter.
    private var typed = ""
    /// Whether the letter of a row, which is its key, chooses it.
    private let hasLetters: Bool
    /// The key that opened the list, which only selects a row, so that pressing it twice does not delete anything.
    var opener: Character?

    /// Creates a list.
    ///
    /// - Parameter isMenu: Whether the rows are actions, each of which a letter chooses; nil for true where the title is a question. In another list
    ///   without a filter, letters select the row that begins with them. False where the list appears while a text may be typed, so that its next
    ///   letter does not overwrite anything.
    init(
        title: String, message: String = "", items: [Item], filter: TextField? = nil, selected: Int = 0,
        guideAddress: String? = nil, emptyText: String = "Nothing matches.", isMenu: Bool? = nil,
        source: (@Sendable (String) -> [Item])? = nil
    ) {
        (self.title, self.message, self.filter, self.selected) = (title, message, filter, selected)
        (self.guideAddress, self.emptyText, self.source) = (guideAddress, emptyText, source)
        hasLetters = filter == nil && (isMenu ?? title.hasSuffix("?")) && items.allSatisfy(\.key.isEmpty)
        self.items = hasLetters ? Self.lettered(items) : items
        shown = self.items
    }

    /// The rows up to the first heading with letters as their keys: first letters where these are free, else further ones.
    private static func lettered(_ items: [Item]) -> [Item] {
        var items = items
        let end = items.firstIndex { $0.choice == nil } ?? items.count
        // The keys of a list.
        var used: Set<Character> = ["g", "j", "k", "q"]
        func letters(_ index: Int) -> [Character] {
            let words = items[index].label.lowercased().split { !$0.isLetter }
            return (words.compactMap(\.first) + words.joined()).filter(\.isASCII)
        }
        for isFirst in [true, false] {
            for index in 0..<end where items[index].key.isEmpty {
                guard let letter = letters(index).prefix(isFirst ? 1 : .max).first(where: { !used.contains($0) }) else { continue }
                used.insert(letter)
                items[index].key = String(letter)
            }
        }
        return items
    }

    /// Adds rows that are displayed only where the filter finds them; below those that it has found already, so that the selection stays.
    mutating func add(further rows: [Item]) {
        further += rows
        if let filter, !filter.isEmpty { shown += Self.matches(of: filter.text, in: rows, isStrict: true).map(\.item) }
    }

    private mutating func find() {
        guard let filter, !filter.isEmpty, source == nil else {
            shown = items
            return
        }
        let found = Self.matches(of: filter.text, in: items, isStrict: false) + Self.matches(of: filter.text, in: further, isStrict: true)
        shown = found.enumerated().sorted { ($0.element.score, $1.offset) > ($1.element.score, $0.offset) }.map(\.element.item)
    }

    private static func matches(of text: String, in rows: [Item], isStrict: Bool) -> [(score: Int, item: Item)] {
        rows.compactMap { item in
            item.choice == nil ? nil : item.score(of: text, isStrict: isStrict).map { (score: $0, item: item) }
        }
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
        typed = ""
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

    mutating func name(_ character: Character, isKey: Bool, _ state: inout AppState) -> [Effect]? {
        guard filter == nil, character.isLetter || character.isNumber else { return nil }
        if hasLetters {
            guard let index = items.firstIndex(where: { $0.key == character.lowercased() && $0.choice != nil }) else { return nil }
            selected = index
            return character == opener ? [] : perform(.choose, &state)
        }
        guard !isKey || !typed.isEmpty else { return nil }
        // A letter that continues no name begins another one, and the same letter again selects the next row that begins with it.
        let letter = character.lowercased()
        for text in [typed + letter, letter] {
            guard let index = index(named: text, after: text == letter && typed == letter ? selected : nil) else { continue }
            (typed, selected) = (text, index)
            return []
        }
        typed = ""
        return isKey ? nil : []
    }

    /// The row whose name, label or one of their words begins with a text.
    ///
    /// - Parameter place: The row behind which the search begins, and which it reaches last; nil for the first row.
    private func index(named text: String, after place: Int?) -> Int? {
        func names(_ item: Item) -> [String] { [item.name, item.label].map { $0.lowercased() } }
        func isNamed(_ item: Item) -> Bool { item.choice != nil && names(item).contains { $0.hasPrefix(text) } }
        if let place, shown.indices.contains(place) {
            let order = Array(shown.indices[(place + 1)...]) + shown.indices[...place]
            if let index = order.first(where: { isNamed(shown[$0]) }) { return index }
        }
        return shown.firstIndex(where: isNamed)
            ?? shown.firstIndex { item in
                item.choice != nil && names(item).contains { $0.split { !$0.isWordCharacter }.contains { $0.hasPrefix(text) } }
            }
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown:
            // As in a pane, where there are rows to scroll.
            for _ in 0..<(shown.count > rows(in: area(state)).height ? 3 : 1) { move(mouse.kind == .scrollUp ? .up : .down, page: 1) }
        case .press:
            guard let index = window(in: area(state)).index(at: mouse.position), shown[index].choice != nil else { break }
            selected = index
            return perform(.choose, &state) ?? []
        case .release, .drag, .doubleClick: break
        }
        return []
    }
}

/// Draws the list.
extension ListPopup {
    func area(_ state: AppState) -> Rect { frame(in: state.popupArea) }

    func frame(in area: Rect) -> Rect {
        let columns = columns(0)
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
        let room = max(0, inner.height - (filter == nil ? 0 : 1) - items.count.clamped(to: 1...2))
        let message = filter == nil ? wanted.message : min(wanted.message, max(room / 2, room - wanted.detail))
        return (message, min(wanted.detail, max(0, room - message)))
    }

    /// The message above the rows, wrapped.
    private func messageLines(width: Int) -> [String] { message.isEmpty ? [] : Array(WrappedText.lines(message, width: width).prefix(3)) }

    /// The number of lines below the rows for the whole text of the selected row, where rows are cut.
    private func detailHeight(width: Int) -> Int {
        let columns = columns(width)
        let cut = items.filter { isCut($0, columns, width: width) }.map { CellWidth.width(of: Self.wholeText(of: $0)) }.max()
        return cut.map { min(4, $0 / max(1, width) + 1) } ?? 0
    }

    /// Whether a row of this width does not show the whole item.
    private func isCut(_ item: Item, _ columns: Columns, width: Int) -> Bool {
        guard item.choice != nil else { return false }
        let name = nameWidth(item, columns, width: width)
        let detail = item.detail.isEmpty ? 0 : CellWidth.width(of: item.detail) + 2
        let used = keyWidth(columns) + (name > 0 ? name + 2 : 0) + labelWidth(item, columns) + detail
        return used > labelRoom(item, width: width) || CellWidth.width(of: item.name) > name
    }

    private func keyWidth(_ columns: Columns) -> Int { (columns.key > 0 ? columns.key + 2 : 0) + columns.mark }

    /// The width of a name: that of the column, or more for a longer name, which is shown whole where it leaves a part of the row to the label.
    private func nameWidth(_ item: Item, _ columns: Columns, width: Int) -> Int {
        guard columns.name > 0 else { return 0 }
        return max(columns.name, min(CellWidth.width(of: item.name), (labelRoom(item, width: width) - keyWidth(columns)) * 3 / 5))
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

    /// The whole text of the selected row where it is cut.
    private func detail(width: Int) -> String? { chosen.flatMap { isCut($0, columns(width), width: width) ? Self.wholeText(of: $0) : nil } }

    /// The visible rows.
    func window(in frame: Rect) -> ListWindow { ListWindow(rows(in: frame), showing: selected, of: shown.count) }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = frame(in: state.popupArea)
        let inner = canvas.popup(frame, title: [Span(title, .titleFocused)], trailing: state.closingHint)
        let around = linesAround(inner)
        let message = messageLines(width: inner.width).prefix(around.message)
        canvas.write(lines: message, at: inner.origin, style: .warning, width: inner.width)
        filter?.draw(
            on: &canvas, at: inner.origin.moved(rows: message.count), width: inner.width, placeholder: source == nil ? "type a name" : "type words")
        let window = window(in: frame)
        let rows = window.rect
        if shown.isEmpty { canvas.writeHint([emptyText], in: rows) }
        let columns = columns(rows.width)
        for index in window.indices {
            let line = window.line(of: index)
            draw(shown[index], columns, on: &canvas, in: line)
            if index == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        if shown.count > rows.height, rows.height > 0 {
            let text = " \(selected + 1)/\(shown.count) "
            let column = frame.endColumn - 2 - CellWidth.width(of: text)
            canvas.write(text, at: Point(column: column, row: frame.endRow - 1), style: .muted, width: max(0, frame.endColumn - 1 - column))
        }
        if !typed.isEmpty {
            canvas.write(" \(typed) ", at: Point(column: frame.column + 2, row: frame.endRow - 1), style: .accent, width: max(0, frame.width - 4))
        }
        guard let detail = detail(width: rows.width) else { return }
        let lines = WrappedText.lines(detail, width: rows.width).prefix(around.detail)
        canvas.write(lines: lines, at: Point(column: rows.column, row: rows.endRow), width: rows.width)
    }

    private func draw(_ item: Item, _ columns: Columns, on canvas: inout Canvas, in line: Rect) {
        if item.choice == nil {
            canvas.write(item.label, at: line.origin, style: .title, width: line.width)
            return
        }
        var spans: [Span] = []
        if columns.key > 0 { spans.append(Span(ColumnText.padded(item.key, to: columns.key) + "  ", .key)) }
        if columns.mark > 0 { spans.append(Span(item.isCurrent ? "• " : "  ", .accent)) }
        if columns.name > 0 {
            let name = ColumnText.padded(item.name, to: nameWidth(item, columns, width: line.width))
            spans.append(Span(name + "  ", item.isUnavailable ? .muted : .strong))
        }
        let padding = item.detail.isEmpty ? 0 : labelWidth(item, columns) - CellWidth.width(of: item.label)
        spans.append(Span(item.label + String(repeating: " ", count: padding), item.isUnavailable || columns.name > 0 ? .muted : .text))
        if !item.detail.isEmpty { spans.append(Span("  " + item.detail, columns.name > 0 ? .warning : .muted)) }
        let room = labelRoom(item, width: line.width)
        canvas.write(spans, at: line.origin, width: room)
        if room < line.width { canvas.write(item.place, at: line.origin.moved(columns: room + 2), style: .muted) }
    }

    /// The widths of the columns of keys, of marks of the current value, of names and of labels before details, which all rows share.
    private typealias Columns = (key: Int, mark: Int, name: Int, label: Int)

    private func columns(_ width: Int) -> Columns {
        func widest(_ text: KeyPath<Item, String>) -> Int {
            // The rows that a filter adds have longer names.
            let all = width >= 100 ? items + shown : items
            return min(width >= 100 ? 30 : 20, all.reduce(0) { max($0, CellWidth.width(of: $1[keyPath: text])) })
        }
        let (key, name) = (widest(\.key), widest(\.name))
        return (key, key == 0 || items.contains { $0.isCurrent } ? 2 : 0, name, name > 0 ? 0 : labelColumn)
    }

    /// The width of the labels that a detail follows; 0 where the longest of them leaves no room for a column.
    private var labelColumn: Int {
        let widest = items.reduce(0) { $1.detail.isEmpty ? $0 : max($0, CellWidth.width(of: $1.label)) }
        return widest <= 30 ? widest : 0
    }

    private func labelWidth(_ item: Item, _ columns: Columns) -> Int {
        max(CellWidth.width(of: item.label), item.detail.isEmpty ? 0 : columns.label)
    }

    private func rowWidth(_ item: Item, _ columns: Columns) -> Int {
        let name = columns.name > 0 ? columns.name + 2 : 0
        let place = item.place.isEmpty ? 0 : CellWidth.width(of: item.place) + 2
        let detail = item.detail.isEmpty ? 0 : min(60, CellWidth.width(of: item.detail)) + 2
        return keyWidth(columns) + name + place + labelWidth(item, columns) + detail
    }
}

extension AppState {
    /// Opens the list of the values of a setting.
    ///
    /// - Parameter proposed: The value that is selected at first; nil for the current one.
    mutating func choose(
        _ title: String, _ choices: [(value: String, detail: String)], _ current: String, selecting proposed: String? = nil,
        choose: @escaping @Sendable (String, inout AppState) -> [Effect]
    ) {
        let items = choices.map { choice in
            ListPopup.Item(label: choice.value, detail: choice.detail, isCurrent: choice.value == current) { state in choose(choice.value, &state) }
        }
        show(ListPopup(title: title, items: items))
        guard let index = choices.firstIndex(where: { $0.value == proposed }) else { return }
        popups.change(ListPopup.self) { $0.selected = index }
    }
}
