internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal

internal import struct FoundationEssentials.Date

/// The history tab: running rows, then ended exchanges, the newest first.
extension AppState {
    /// The lines above the rows: the problem of the store, and the titles of the columns if there is room.
    private func historyHead(_ rect: Rect) -> (problem: [String], hasHeading: Bool) {
        var problem = history.problem.map { WrappedText.lines(redaction.masked($0), width: rect.width) } ?? []
        let room = max(1, historyRows.isEmpty ? rect.height - 1 : rect.height / 2)
        if problem.count > room {
            problem.removeLast(problem.count - room)
            let rest = "… (complete in Log)"
            problem[room - 1] = CellWidth.truncated(problem[room - 1], to: max(0, rect.width - CellWidth.width(of: rest))) + rest
        }
        return (problem, rect.height - problem.count >= 8)
    }

    private func historyListHeight(_ rect: Rect) -> Int {
        let head = historyHead(rect)
        return max(0, rect.height - head.problem.count - (head.hasHeading ? 1 : 0) - (history.entry == nil ? 0 : 1))
    }

    private func historyTop(_ rows: [HistoryRow], height: Int) -> Int {
        Window.limited(historyIndex(in: rows) - height * 2 / 3, count: rows.count, height: height)
    }

    /// The number of visible rows.
    var historyPage: Int { historyListHeight(layout.bottom.inset(columns: 2, rows: 1)) }

    /// The right part of the title: the filter and the number of matches.
    var historyTitle: [Span] {
        guard history.isOn else { return [] }
        var spans: [Span] = []
        if !history.marked.isEmpty { spans += [Span("\(history.marked.count) marked", .accent), Span(" · ", .muted)] }
        if !history.filterText.isEmpty {
            spans += [Span(CellWidth.truncated(history.filterText, to: 40), history.filterProblem == nil ? .accent : .warning), Span(" · ", .muted)]
        }
        guard let count = history.count else { return spans.isEmpty ? [] : Array(spans.dropLast()) }
        let limit = HistoryState.countLimit
        return spans + [Span(count > limit ? NumberText.grouped(limit) + "+" : NumberText.grouped(count), .muted)]
    }

    func drawHistory(on canvas: inout Canvas, in rect: Rect) {
        let head = historyHead(rect)
        for (offset, line) in head.problem.enumerated() {
            canvas.write(line, at: rect.origin.moved(rows: offset), style: .warning, width: rect.width)
        }
        let rows = historyRows
        let below = rect.split(topHeight: head.problem.count).bottom
        drawHistoryEntry(on: &canvas, in: rect)
        guard !rows.isEmpty else {
            canvas.writeHint([emptyHistoryHint], in: below)
            return
        }
        let height = historyListHeight(rect)
        let top = historyTop(rows, height: height)
        let shown = rows[top..<min(rows.count, top + height)]
        let ended = shown.compactMap { if case .ended(let item) = $0 { item } else { nil } }
        let running = shown.compactMap { if case .running(let row) = $0 { row } else { nil } }
        let columns = HistoryColumns(
            ended, marked: Set(history.marked.map(\.number)), moment: history.moment ?? HistoryMoment(now: Date(timeIntervalSince1970: 0)),
            width: rect.width)
        let lines = RunningColumns(self, running, width: rect.width)
        let list = head.hasHeading ? below.split(topHeight: 1).bottom : below
        if head.hasHeading, !ended.isEmpty { canvas.write(columns.heading, at: below.origin, width: rect.width) }
        let selected = historyIndex(in: rows) - top
        for offset in shown.indices.map({ $0 - top }) {
            let point = list.origin.moved(rows: offset)
            let spans = offset < running.count ? lines.spans(offset) : columns.spans(offset - running.count)
            canvas.write(spans, at: point, width: rect.width)
            if offset == selected { canvas.select(row: point.row, in: rect, isFocused: isActive(.bottom)) }
        }
    }

    private var emptyHistoryHint: String {
        if !history.isOn { return "No exchanges are stored: the history is switched off by --no-history." }
        if history.moment == nil { return history.problem == nil ? "Opening the history…" : "" }
        if !history.filterText.isEmpty { return "Nothing in the history matches. \(key(.back)) shows all exchanges." }
        return "The history is empty. Exchanges are stored here, to be inspected, replayed and compared."
    }

    /// Draws the field of the filter in the last row, with the diagnostic of the filter.
    private func drawHistoryEntry(on canvas: inout Canvas, in rect: Rect) {
        guard let entry = history.entry, rect.height > 0 else { return }
        let point = Point(column: rect.column, row: rect.endRow - 1)
        canvas.fill(Rect(column: rect.column, row: point.row, width: rect.width, height: 1))
        canvas.write("/", at: point, style: .key, width: rect.width)
        let problem = history.filterProblem.map { CellWidth.truncated($0, to: rect.width / 2) } ?? ""
        let problemWidth = problem.isEmpty ? 0 : CellWidth.width(of: problem) + 2
        let width = max(8, rect.width - 1 - problemWidth)
        entry.draw(
            on: &canvas, at: point.moved(columns: 1), width: width, placeholder: "words, status:5xx service:shop method:post since:1h body:text")
        if !problem.isEmpty { canvas.write(problem, at: point.moved(columns: width + 3), style: .warning, width: max(0, rect.width - width - 3)) }
    }

    /// Selects the row that was clicked.
    mutating func clickHistory(row: Int) {
        let rect = layout.bottom.inset(columns: 2, rows: 1)
        let head = historyHead(rect)
        let offset = row - head.problem.count - (head.hasHeading ? 1 : 0)
        let height = historyListHeight(rect)
        guard (0..<height).contains(offset) else { return }
        selectHistory(historyTop(historyRows, height: height) + offset)
    }
}
