internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal

internal import struct FoundationEssentials.Date

/// The history tab: running rows, then ended exchanges, the newest first.
struct HistoryView {
    private let state: AppState
    private let history: HistoryState
    /// The area within the border of the bottom pane.
    private let rect: Rect
    private let rows: HistoryRows
    /// The problem of the store, above the rows.
    private let problem: [String]

    /// Whether there is room for the titles of the columns.
    private var hasHeading: Bool { rect.height - problem.count >= 8 }

    /// - Parameter height: The height on the screen, which a click refers to; nil for that of the state's layout.
    init(_ state: AppState, height: Int? = nil) {
        self.state = state
        history = state.history
        let inner = state.layout.bottom.inset(columns: 2, rows: 1)
        rect = Rect(column: inner.column, row: inner.row, width: inner.width, height: height ?? inner.height)
        rows = HistoryFeature.rows(state)
        var problem = state.history.problem.map { [rect] in WrappedText.lines(state.redaction.masked($0), width: rect.width) } ?? []
        let room = max(1, rows.isEmpty ? rect.height - 1 : rect.height / 2)
        if problem.count > room {
            problem.removeLast(problem.count - room)
            let rest = "… (complete in Log)"
            problem[room - 1] = CellWidth.truncated(problem[room - 1], to: max(0, rect.width - CellWidth.width(of: rest))) + rest
        }
        self.problem = problem
    }

    /// The number of visible rows.
    var listHeight: Int { max(0, rect.height - problem.count - (hasHeading ? 1 : 0) - (history.entry == nil ? 0 : 1)) }

    private var top: Int { Window.limited(history.index(in: rows) - listHeight * 2 / 3, count: rows.count, height: listHeight) }

    /// The index of the row at a line of the area.
    func index(at line: Int) -> Int? {
        let offset = line - problem.count - (hasHeading ? 1 : 0)
        return 0..<listHeight ~= offset ? top + offset : nil
    }

    /// The right part of the title: the filter and the number of matches.
    static func title(_ state: AppState) -> [Span] {
        let history = state.history
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

    func draw(on canvas: inout Canvas) {
        for (offset, line) in problem.enumerated() {
            canvas.write(line, at: rect.origin.moved(rows: offset), style: .warning, width: rect.width)
        }
        let below = rect.split(topHeight: problem.count).bottom
        drawEntry(on: &canvas)
        guard !rows.isEmpty else {
            canvas.writeHint([emptyHint], in: below)
            return
        }
        let top = top
        let shown = (top..<min(rows.count, top + listHeight)).map { rows[$0] }
        let ended = shown.compactMap { if case .ended(let item) = $0 { item } else { nil } }
        let running = shown.compactMap { if case .running(let row) = $0 { row } else { nil } }
        let columns = HistoryColumns(
            ended, marked: Set(history.marked.map(\.number)), moment: history.moment ?? HistoryMoment(now: Date(timeIntervalSince1970: 0)),
            width: rect.width)
        let lines = RunningColumns(state, running, width: rect.width)
        let list = hasHeading ? below.split(topHeight: 1).bottom : below
        if hasHeading, !ended.isEmpty { canvas.write(columns.heading, at: below.origin, width: rect.width) }
        let selected = history.index(in: rows) - top
        for offset in shown.indices {
            let point = list.origin.moved(rows: offset)
            let spans = offset < running.count ? lines.spans(offset) : columns.spans(offset - running.count)
            canvas.write(spans, at: point, width: rect.width)
            if offset == selected { canvas.select(row: point.row, in: rect, isFocused: state.isActive(.bottom)) }
        }
    }

    private var emptyHint: String {
        if !history.isOn { return "No exchanges are stored: Sortie was started without the history." }
        if history.moment == nil { return history.problem == nil ? "Opening the history…" : "" }
        if !history.filterText.isEmpty { return "Nothing in the history matches. \(state.key(.back)) shows all exchanges." }
        return "The history is empty. Exchanges are stored here, to be inspected, replayed and compared."
    }

    /// Draws the field of the filter in the last row, with the diagnostic of the filter.
    private func drawEntry(on canvas: inout Canvas) {
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
}
