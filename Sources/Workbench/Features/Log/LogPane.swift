internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The log tab: the rows of the log that the filter shows, their selection and folding.
///
/// Its functions visit only the items they need, so that the tab is as fast with thousands of calls as with ten.
struct LogPane {
    let log: Log
    private(set) var tab: LogState
    let redaction: Redaction
    /// The width of a row in cells.
    let width: Int
    /// The start of the program, to which the times of the items refer.
    let start: HistoryMoment
    private let workspace: Workspace

    init(_ state: AppState) {
        log = state.log
        tab = state.states[LogState.self]
        redaction = state.redaction
        width = state.size.width - 4
        start = state.startMoment
        workspace = state.workspace
    }

    /// Changes the state of the tab.
    @discardableResult
    static func change<Result>(_ state: inout AppState, _ work: (inout LogPane) -> Result) -> Result {
        var pane = LogPane(state)
        defer { state.states[LogState.self] = pane.tab }
        return work(&pane)
    }

    // MARK: Layout

    /// Lays out the rows of an unfolded item again.
    mutating func layOut(_ item: Int) {
        guard let open = tab.unfolded[item] else { return }
        guard log.numbers.contains(item), isFoldable(item) else {
            tab.unfolded[item] = nil
            return
        }
        let rows = rows(of: item, blocks: open.blocks)
        tab.unfolded[item]?.rows = rows
    }

    /// Lays out all unfolded items again after a change of the width or of what is masked.
    mutating func layOut() {
        for item in tab.unfolded.keys { layOut(item) }
    }

    /// The rows below the head of an item: the parts of a call, or the complete text of a line that is too long.
    private func rows(of item: Int, blocks: Set<Int>) -> [LogRow] {
        guard let call = log[item].call else { return LogRows.rows(of: log[item].entry, width: width, redaction: redaction) }
        return LogRows(call: call, blocks: blocks, width: width, redaction: redaction).rows
    }

    /// Whether an item can be unfolded: always for a call, for a message when the pane truncates it.
    func isFoldable(_ item: Int) -> Bool {
        switch log[item] {
        case .call: true
        case .entry(let entry): ColumnText.width(of: line(entry, mark: " ")) > width
        }
    }

    /// The untruncated line of an entry; `mark` is the fold mark.
    func line(_ entry: LogEntry, mark: String) -> [Span] {
        head(entry.level, entry.time) + [
            Span(mark + " ", .muted), Span(entry.source.isEmpty ? "" : entry.source + "  ", .info),
            Span(redaction.masked(entry.text), entry.level.style),
        ]
    }

    /// The time and the mark of a line.
    func head(_ level: LogEntry.Level, _ time: Double?) -> [Span] {
        // The mark repeats the level for terminals and users without colour.
        let mark =
            switch level {
            case .debug: "·"
            case .info: " "
            case .warning: "!"
            case .error: "✗"
            }
        return [Span(ColumnText.right(time.map(start.clock) ?? "", to: 8) + " ", .muted), Span(mark + " ", level.style)]
    }

    // MARK: Visible rows

    private var serviceFolders: Set<String> { Set(workspace.services.map(\.folder)) }

    /// The nearest item at or after `item` in a direction that the filter shows.
    private func shownItem(from item: Int, forward: Bool) -> Int? {
        let filter = tab.filter
        let numbers = log.numbers
        guard filter.isOn else { return numbers.contains(item) ? item : nil }
        let services = serviceFolders
        var item = item
        while numbers.contains(item) {
            if filter.shows(log[item], services: services) { return item }
            item += forward ? 1 : -1
        }
        return nil
    }

    /// The items that the filter shows.
    var shownItems: [Log.Item] {
        let services = serviceFolders
        return log.items.filter { tab.filter.shows($0, services: services) }
    }

    private func rowCount(_ item: Int) -> Int { 1 + (tab.unfolded[item]?.rows.count ?? 0) }

    private var firstPlace: LogPlace? { shownItem(from: log.numbers.lowerBound, forward: true).map { LogPlace(item: $0) } }

    private var lastPlace: LogPlace? {
        shownItem(from: log.numbers.upperBound - 1, forward: false).map { LogPlace(item: $0, row: rowCount($0) - 1) }
    }

    /// The selected position, adjusted to an existing row; nil when nothing is shown.
    var place: LogPlace? {
        guard var place = tab.place else { return lastPlace }
        if place.item < log.numbers.lowerBound { place = LogPlace(item: log.numbers.lowerBound) }
        guard let item = shownItem(from: place.item, forward: true) else { return lastPlace }
        return LogPlace(item: item, row: item == place.item ? min(place.row, rowCount(item) - 1) : 0)
    }

    /// The next position in a direction; nil at the end.
    private func place(after place: LogPlace, forward: Bool) -> LogPlace? {
        if forward {
            if place.row + 1 < rowCount(place.item) { return LogPlace(item: place.item, row: place.row + 1) }
            return shownItem(from: place.item + 1, forward: true).map { LogPlace(item: $0) }
        }
        if place.row > 0 { return LogPlace(item: place.item, row: place.row - 1) }
        return shownItem(from: place.item - 1, forward: false).map { LogPlace(item: $0, row: rowCount($0) - 1) }
    }

    /// The visible positions.
    ///
    /// The selection stays at two thirds of the height if there are rows below it.
    func window(height: Int) -> [LogPlace] {
        guard height > 0, let selected = place else { return [] }
        let above = tab.place == nil ? height - 1 : height * 2 / 3
        var places = [selected]
        func extend(upTo limit: Int, forward: Bool) {
            while places.count < limit, let edge = forward ? places.last : places.first,
                let next = place(after: edge, forward: forward)
            {
                places.insert(next, at: forward ? places.count : 0)
            }
        }
        extend(upTo: above + 1, forward: false)
        extend(upTo: height, forward: true)
        extend(upTo: height, forward: false)
        return places
    }

    /// The row at a position; nil for the head of an item.
    func row(at place: LogPlace) -> LogRow? {
        guard place.row > 0, let rows = tab.unfolded[place.item]?.rows, rows.indices.contains(place.row - 1) else { return nil }
        return rows[place.row - 1]
    }

    // MARK: Selecting and folding

    mutating func move(_ movement: Movement, page: Int) {
        guard var place = self.place else { return }
        func step(_ count: Int, forward: Bool) {
            for _ in 0..<count { if let next = self.place(after: place, forward: forward) { place = next } }
        }
        switch movement {
        case .up: step(1, forward: false)
        case .down: step(1, forward: true)
        case .pageUp: step(max(1, page - 1), forward: false)
        case .pageDown: step(max(1, page - 1), forward: true)
        case .first: place = firstPlace ?? place
        case .last: place = lastPlace ?? place
        }
        select(place)
    }

    /// Selects a row; the last one follows new lines.
    mutating func select(_ place: LogPlace) {
        tab.place = place == lastPlace ? nil : place
    }

    /// Folds the block or the item of the selected row, or selects the head of the item.
    mutating func fold() {
        guard let place else { return }
        guard let row = row(at: place) else {
            tab.unfolded[place.item] = nil
            return select(LogPlace(item: place.item))
        }
        guard tab.unfolded[place.item]?.blocks.contains(row.part) == true else {
            tab.place = LogPlace(item: place.item)
            return
        }
        let title = tab.unfolded[place.item]?.rows.firstIndex { $0.part == row.part && $0.isBlockTitle } ?? 0
        tab.unfolded[place.item]?.blocks.remove(row.part)
        layOut(place.item)
        tab.place = LogPlace(item: place.item, row: title + 1)
    }

    /// Unfolds the selected item or block.
    mutating func unfold() {
        guard let place, isFoldable(place.item) else { return }
        if place.row == 0 {
            if tab.unfolded[place.item] == nil { tab.unfolded[place.item] = .init() }
            layOut(place.item)
        } else if let row = row(at: place), row.isBlockTitle {
            tab.unfolded[place.item]?.blocks.insert(row.part)
            layOut(place.item)
        }
        // The selection stays on an unfolded item when new lines come.
        tab.place = place
    }

    /// Folds or unfolds.
    mutating func toggle() {
        guard let place, isFoldable(place.item) else { return }
        let isOpen =
            place.row == 0
            ? tab.unfolded[place.item] != nil : row(at: place).map { tab.unfolded[place.item]?.blocks.contains($0.part) == true } ?? false
        if isOpen { fold() } else { unfold() }
    }

    // MARK: Filter and search

    /// The filter as text.
    var filterWords: [String] { tab.filter.words { folder in workspace.service(folder)?.name ?? folder } }

    /// Selects the next matching row and unfolds its item; false when there is none.
    mutating func find(_ search: LineSearch, forward: Bool, includingHere: Bool) -> Bool {
        guard let start = place, !search.searchTerm.isEmpty else { return false }
        let numbers = log.numbers
        var item = start.item
        // One round, ending with the rest of the first item.
        let (services, filter) = (serviceFolders, tab.filter)
        for step in 0...numbers.count {
            let isFirst = step == 0
            if filter.shows(log[item], services: services) {
                let rows = matches(search, in: item).filter { row in
                    guard isFirst else { return true }
                    return forward ? row > start.row || includingHere && row == start.row : row < start.row || includingHere && row == start.row
                }
                if let row = forward ? rows.first : rows.last {
                    if row > 0 {
                        let whole = wholeItem(item)
                        tab.unfolded[item] = whole
                    }
                    tab.place = LogPlace(item: item, row: row)
                    return true
                }
            }
            item += forward ? 1 : -1
            if item >= numbers.upperBound { item = numbers.lowerBound }
            if item < numbers.lowerBound { item = numbers.upperBound - 1 }
        }
        return false
    }

    /// The matching rows of an item, with numbers as in the completely unfolded item.
    private func matches(_ search: LineSearch, in item: Int) -> [Int] {
        var rows: [Int] = []
        if search.matches(text(at: LogPlace(item: item))) { rows.append(0) }
        guard let call = log[item].call else { return rows }
        // The parts are checked first, because laying out their rows is expensive.
        guard call.parts.contains(where: { $0.contains(search) }), let open = wholeItem(item) else { return rows }
        rows += open.rows.indices.filter { search.matches(open.rows[$0].text) }.map { $0 + 1 }
        return rows
    }

    /// An item with all its blocks unfolded; nil for a message.
    private func wholeItem(_ item: Int) -> LogState.Unfolded? {
        guard let call = log[item].call else { return nil }
        let blocks = Set(call.parts.indices)
        return .init(blocks: blocks, rows: rows(of: item, blocks: blocks))
    }

    /// The text of a row, for the search.
    func text(at place: LogPlace) -> String {
        if let row = row(at: place) { return row.text }
        let entry = log[place.item].entry
        return redaction.masked("\(entry.source) \(entry.text)")
    }

    /// The text of the selected row for the clipboard, and its name.
    var copiedText: (text: String, name: String)? {
        guard let place else { return nil }
        guard let call = log[place.item].call, let row = row(at: place), call.parts.indices.contains(row.part) else {
            let item = log[place.item]
            return (LogText(items: [item], redaction: redaction, start: start).text, item.call == nil ? "the entry" : "the call")
        }
        let part = call.parts[row.part]
        var name = "the line"
        if case .block(let record) = part { name = "the block of the \(record.outcome == nil ? "request" : "response")" }
        return (LogText.text(of: part, redaction), name)
    }
}
