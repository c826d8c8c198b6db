internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The log tab: adding to the log, navigation, filter and search.
///
/// The functions visit only the items they need, so that the tab is as fast with thousands of calls as with ten.
extension AppState {
    // MARK: Adding

    mutating func logBegin(_ id: CallID, _ endpoint: Endpoint) {
        // A replay without an endpoint has no target.
        let target = endpoint.target.contains("/") ? endpoint.target : endpoint.name
        log.begin(id, LoggedCall(target: target, method: endpoint.method))
    }

    mutating func logPart(_ part: LoggedCall.Part, of id: CallID) {
        if let item = log.append(part, to: id) { layOutLog(item) }
    }

    mutating func logEnd(_ id: CallID, _ state: LoggedCall.State, duration: Double) {
        if let item = log.end(id, state, duration: duration) { layOutLog(item) }
    }

    /// Lays out the rows of an unfolded item again.
    private mutating func layOutLog(_ item: Int) {
        guard let open = logTab.unfolded[item] else { return }
        guard log.numbers.contains(item), isFoldable(item) else {
            logTab.unfolded[item] = nil
            return
        }
        let rows = logRows(of: item, blocks: open.blocks)
        logTab.unfolded[item]?.rows = rows
    }

    /// The rows below the head of an item: the parts of a call, or the complete text of a line that is too long.
    private func logRows(of item: Int, blocks: Set<Int>) -> [LogRow] {
        let width = logWidth
        guard let call = log[item].call else { return LogRows.rows(of: log[item].entry, width: width, redaction: redaction) }
        return LogRows(call: call, blocks: blocks, width: width, redaction: redaction).rows
    }

    /// The width of a row of the log in cells.
    var logWidth: Int { size.width - 4 }

    /// Whether an item can be unfolded: always for a call, for a message when the pane truncates it.
    func isFoldable(_ item: Int) -> Bool {
        switch log[item] {
        case .call: true
        case .entry(let entry): ColumnText.width(of: logLine(entry, mark: " ")) > logWidth
        }
    }

    /// Lays out all unfolded items again after a change of the width or of what is masked.
    mutating func layOutLog() {
        for item in logTab.unfolded.keys { layOutLog(item) }
    }

    // MARK: Visible rows

    private var serviceFolders: Set<String> { Set(workspace.services.map(\.folder)) }

    /// The nearest item at or after `item` in a direction that the filter shows.
    private func shownItem(from item: Int, forward: Bool) -> Int? {
        let filter = logTab.filter
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
    private var shownItems: [Log.Item] {
        let services = serviceFolders
        return log.items.filter { logTab.filter.shows($0, services: services) }
    }

    private func rowCount(_ item: Int) -> Int { 1 + (logTab.unfolded[item]?.rows.count ?? 0) }

    private func firstLogPlace() -> LogPlace? { shownItem(from: log.numbers.lowerBound, forward: true).map { LogPlace(item: $0) } }

    private func lastLogPlace() -> LogPlace? {
        shownItem(from: log.numbers.upperBound - 1, forward: false).map { LogPlace(item: $0, row: rowCount($0) - 1) }
    }

    /// The selected position, adjusted to an existing row; nil when nothing is shown.
    var logPlace: LogPlace? {
        guard var place = logTab.place else { return lastLogPlace() }
        if place.item < log.numbers.lowerBound { place = LogPlace(item: log.numbers.lowerBound) }
        guard let item = shownItem(from: place.item, forward: true) else { return lastLogPlace() }
        return LogPlace(item: item, row: item == place.item ? min(place.row, rowCount(item) - 1) : 0)
    }

    /// The next position in a direction; nil at the end.
    private func logPlace(after place: LogPlace, forward: Bool) -> LogPlace? {
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
    func logWindow(height: Int) -> [LogPlace] {
        guard height > 0, let selected = logPlace else { return [] }
        let above = logTab.place == nil ? height - 1 : height * 2 / 3
        var places = [selected]
        func extend(upTo limit: Int, forward: Bool) {
            while places.count < limit, let edge = forward ? places.last : places.first,
                let next = logPlace(after: edge, forward: forward)
            {
                places.insert(next, at: forward ? places.count : 0)
            }
        }
        extend(upTo: above + 1, forward: false)
        extend(upTo: height, forward: true)
        extend(upTo: height, forward: false)
        return places
    }

    // MARK: Navigation and folding

    mutating func moveInLog(_ movement: Movement, page: Int) {
        guard var place = logPlace else { return }
        func step(_ count: Int, forward: Bool) {
            for _ in 0..<count { if let next = logPlace(after: place, forward: forward) { place = next } }
        }
        switch movement {
        case .up: step(1, forward: false)
        case .down: step(1, forward: true)
        case .pageUp: step(max(1, page - 1), forward: false)
        case .pageDown: step(max(1, page - 1), forward: true)
        case .first: place = firstLogPlace() ?? place
        case .last: place = lastLogPlace() ?? place
        }
        select(place)
    }

    /// Selects a row of the log.
    ///
    /// Selecting the last row follows new lines.
    mutating func select(_ place: LogPlace) {
        logTab.place = place == lastLogPlace() ? nil : place
    }

    /// Folds or selects the head (−1), or unfolds (1).
    mutating func foldInLog(_ direction: Int) {
        guard let place = logPlace else { return }
        if direction > 0 { return unfoldInLog(place) }
        guard place.row > 0, let row = selectedLogRow(place) else {
            logTab.unfolded[place.item] = nil
            return select(LogPlace(item: place.item))
        }
        if logTab.unfolded[place.item]?.blocks.contains(row.part) == true {
            let title = logTab.unfolded[place.item]?.rows.firstIndex { $0.part == row.part && $0.isBlockTitle } ?? 0
            logTab.unfolded[place.item]?.blocks.remove(row.part)
            layOutLog(place.item)
            logTab.place = LogPlace(item: place.item, row: title + 1)
        } else {
            logTab.place = LogPlace(item: place.item)
        }
    }

    private mutating func unfoldInLog(_ place: LogPlace) {
        guard isFoldable(place.item) else { return }
        if place.row == 0 {
            if logTab.unfolded[place.item] == nil { logTab.unfolded[place.item] = .init() }
            layOutLog(place.item)
        } else if let row = selectedLogRow(place), row.isBlockTitle {
            logTab.unfolded[place.item]?.blocks.insert(row.part)
            layOutLog(place.item)
        }
        // The selection stays on an unfolded item when new lines come.
        logTab.place = place
    }

    /// Folds or unfolds.
    mutating func toggleInLog() {
        guard let place = logPlace, isFoldable(place.item) else { return }
        let isOpen =
            place.row == 0
            ? logTab.unfolded[place.item] != nil
            : selectedLogRow(place).map { logTab.unfolded[place.item]?.blocks.contains($0.part) == true } ?? false
        foldInLog(isOpen ? -1 : 1)
    }

    func selectedLogRow(_ place: LogPlace) -> LogRow? {
        guard place.row > 0, let rows = logTab.unfolded[place.item]?.rows, rows.indices.contains(place.row - 1) else { return nil }
        return rows[place.row - 1]
    }

    var noFoldReason: String? {
        guard let place = logPlace else { return "The log is empty" }
        return isFoldable(place.item) ? nil : "This line has nothing to unfold"
    }

    // MARK: Filter

    mutating func chooseLogService() {
        let known = serviceFolders
        let inLog = Set(log.items.map(\.service))
        let current = logTab.filter.service
        var items: [ListPopup.Item] = [.init(label: "All", isCurrent: current == nil) { $0.filterLog { $0.service = nil } }]
        items += workspace.services.filter { inLog.contains($0.folder) || $0.folder == current }.map { service in
            .init(label: service.name, detail: service.folder, isCurrent: service.folder == current) { $0.filterLog { $0.service = service.folder } }
        }
        if !inLog.subtracting(known).isEmpty || current?.isEmpty == true {
            items.append(
                .init(label: "Sortie", detail: "entries without a service", isCurrent: current?.isEmpty == true) { $0.filterLog { $0.service = "" } }
            )
        }
        show(ListPopup(title: "Log of", items: items))
    }

    @discardableResult
    mutating func filterLog(_ change: (inout LogFilter) -> Void) -> [Effect] {
        change(&logTab.filter)
        let words = logFilterWords
        toast = Toast(words.isEmpty ? "The log shows everything" : "The log shows \(words.joined(separator: " · "))")
        return []
    }

    /// Changes the level of the filter: everything, without debug, warnings and errors, errors, and everything again.
    mutating func changeLogLevel() {
        let levels = LogEntry.Level.allCases
        filterLog { filter in
            let index = levels.firstIndex(of: filter.level) ?? 0
            filter.level = levels[(index + 1) % levels.count]
        }
    }

    var logFilterWords: [String] {
        logTab.filter.words { folder in workspace.service(folder)?.name ?? folder }
    }

    // MARK: Search, copy, save

    /// Selects the next matching row and unfolds its item; false when there is none.
    mutating func findInLog(_ search: LineSearch, forward: Bool, includingHere: Bool) -> Bool {
        guard let start = logPlace, !search.searchTerm.isEmpty else { return false }
        let numbers = log.numbers
        var item = start.item
        // One round, ending with the rest of the first item.
        let (services, filter) = (serviceFolders, logTab.filter)
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
                        logTab.unfolded[item] = whole
                    }
                    logTab.place = LogPlace(item: item, row: row)
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
        if search.matches(redaction.masked(headText(item))) { rows.append(0) }
        guard let call = log[item].call else { return rows }
        // The parts are checked first, because laying out their rows is expensive.
        guard call.parts.contains(where: { $0.contains(search) }), let open = wholeItem(item) else { return rows }
        rows += open.rows.indices.filter { search.matches(open.rows[$0].text) }.map { $0 + 1 }
        return rows
    }

    /// An item with all its blocks unfolded.
    private func wholeItem(_ item: Int) -> LogState.Unfolded? {
        guard let call = log[item].call else { return nil }
        let blocks = Set(call.parts.indices)
        return .init(blocks: blocks, rows: logRows(of: item, blocks: blocks))
    }

    private func headText(_ item: Int) -> String {
        let entry = log[item].entry
        return "\(entry.source) \(entry.text)"
    }

    func copiedLogText() -> (text: String, name: String)? {
        guard let place = logPlace else { return nil }
        guard let call = log[place.item].call, let row = selectedLogRow(place), call.parts.indices.contains(row.part) else {
            return (LogText(items: [log[place.item]], redaction: redaction).text, log[place.item].call == nil ? "the entry" : "the call")
        }
        let part = call.parts[row.part]
        var name = "the line"
        if case .block(let record) = part { name = "the block of the \(record.outcome == nil ? "request" : "response")" }
        return (LogText.text(of: part, redaction), name)
    }

    mutating func askForLogPath() {
        let words = logFilterWords
        let what = words.isEmpty ? "the log" : "the log (\(words.joined(separator: ", ")))"
        askForPath("Save \(what) to", PathUse(key: "log", content: "the log"), suggesting: "sortie.log") { prompt, state in
            guard !prompt.text.isEmpty else { return [] }
            state.popups.pop()
            return [state.saveLog(prompt)]
        }
    }

    /// Saves the shown items.
    ///
    /// Secrets are always masked, because a file outlives the choice to show them.
    private mutating func saveLog(_ prompt: Prompt) -> Effect {
        .saveLog(
            nextJob(SaveFileJob(prompt: prompt)), LogText(items: shownItems, redaction: secrets, dropped: log.dropped), to: prompt.text,
            overwrites: prompt.overwrites)
    }
}
