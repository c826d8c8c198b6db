internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

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

    private var top: Int {
        let list = Rect(column: rect.column, row: rect.row + problem.count + (hasHeading ? 1 : 0), width: rect.width, height: listHeight)
        let line = state.pressedLine(.pane(.bottom), in: list)
        return Window.top(showing: history.index(in: rows), count: rows.count, height: listHeight, at: line)
    }

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
        if history.showsAllWorkspaces { spans += [Span("all workspaces", .accent), Span(" · ", .muted)] }
        if !history.filterText.isEmpty {
            spans += [Span(CellWidth.truncated(history.filterText, to: 40), history.filterProblem == nil ? .accent : .warning), Span(" · ", .muted)]
        }
        guard let count = history.count else { return spans.isEmpty ? [] : Array(spans.dropLast()) }
        let limit = HistoryState.countLimit
        return spans + [Span(count > limit ? NumberText.grouped(limit) + "+" : NumberText.grouped(count), .muted)]
    }

    func draw(on canvas: inout Canvas) {
        canvas.write(lines: problem, at: rect.origin, style: .warning, width: rect.width)
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
            ended, marked: Set(history.marked.map(\.number)), moment: history.moment ?? .unknown,
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
        let others = history.showsAllWorkspaces ? "" : " \(state.key(.allWorkspaces)) shows those of all workspaces."
        return "The history is empty. Exchanges are stored here, to be inspected, replayed and compared.\(others)"
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

/// Lays out rows of the history in columns.
///
/// Columns that do not fit are left out, the least important ones first.
struct HistoryColumns {
    enum Column: String, Sendable, CaseIterable {
        case time, service, method, target, status, took, size, environment, tags
    }

    /// The width before the columns, which the marks use.
    static let marksWidth = 3

    private var texts: [[Column: Span]]
    private let marks: [[Span]]
    /// The URLs that are shown after the targets when there is room.
    private let urls: [String]
    private var widths: [Column: Int] = [:]

    /// The columns in the order in which they are left out.
    private static let order: [Column] = [.tags, .environment, .service, .size, .took, .time]
    private static let leastTarget = 22
    /// The width that a target gets before the lesser columns are shown.
    private static let goodTarget = 48
    private static let lesser: [Column] = [.tags, .environment, .service]

    /// - Parameters:
    ///   - items: The visible rows.
    ///   - marked: The numbers of the rows that the user marked.
    init(_ items: [HistoryItem], marked: Set<Int64>, moment: HistoryMoment, width: Int) {
        let lines = items.map { Self.texts(of: $0, moment) }
        let groups = Self.groups(of: items)
        marks = zip(items, groups).map { Self.marks(of: $0, isMarked: marked.contains($0.number), $1) }
        for column in Column.allCases where column != .target {
            let longest = lines.reduce(CellWidth.width(of: column.rawValue)) { max($0, CellWidth.width(of: $1[column]?.text ?? "")) }
            widths[column] = min(longest, column == .tags ? 24 : column == .status && width < 100 ? 16 : 20)
        }
        let room = width - Self.marksWidth
        let longestTarget = lines.reduce(Self.leastTarget) { max($0, CellWidth.width(of: $1[.target]?.text ?? "")) }
        for column in Self.lesser where Self.used(widths) + min(longestTarget, Self.goodTarget) > room { widths[column] = nil }
        for column in Self.order where Self.used(widths) + Self.leastTarget > room { widths[column] = nil }
        widths[.target] = max(1, room - Self.used(widths))
        // The target omits the service's folder when the service has a column.
        let hasService = widths[.service] != nil
        texts = zip(items, lines).map { item, texts in
            guard hasService, let service = item.service, let target = item.target, target.hasPrefix(service + "/") else { return texts }
            var texts = texts
            texts[.target]?.text = String(target.dropFirst(service.count + 1))
            return texts
        }
        for (index, group) in groups.enumerated() where group == .first || group == .only {
            guard let run = items[index].run, let target = texts[index][.target]?.text else { continue }
            texts[index][.target]?.text = "\(run): \(target)"
        }
        urls = items.map { $0.target == nil ? "" : $0.urlPathFirst }
    }

    private static func used(_ widths: [Column: Int]) -> Int {
        widths.filter { $0.key != .target }.values.reduce(0) { $0 + $1 + 2 }
    }

    /// The titles of the columns.
    var heading: [Span] {
        var spans = [Span(String(repeating: " ", count: Self.marksWidth))]
        for column in Column.allCases {
            guard let width = widths[column] else { continue }
            spans.append(Span(Self.placed(column.rawValue, column, width) + "  ", .muted))
        }
        return spans
    }

    /// The spans of a row.
    func spans(_ index: Int) -> [Span] {
        var spans = marks[index]
        for column in Column.allCases {
            guard let width = widths[column] else { continue }
            let span = texts[index][column] ?? Span("")
            let spare = width - CellWidth.width(of: span.text)
            if column == .target, spare >= 24, !urls[index].isEmpty {
                spans += [span, Span("  " + ColumnText.padded(urls[index], to: spare - 2), .muted), Span("  ")]
            } else {
                spans += [Span(Self.placed(span.text, column, width), span.style), Span("  ")]
            }
        }
        return spans
    }

    private static func placed(_ text: String, _ column: Column, _ width: Int) -> String {
        let isNumber = column == .took || column == .size
        return isNumber ? ColumnText.right(CellWidth.truncated(text, to: width), to: width) : ColumnText.padded(text, to: width)
    }

    /// The place of a row among the consecutive steps of a run, of which the newest is above.
    private enum Group: String {
        case only = "»", first = "┌", middle = "│", last = "└"
    }

    /// The seconds between the end of a request and the next one of its target from which they count as those of two runs.
    private static let pause = 1.0

    /// The places of rows in the runs that they were steps of; nil for a row of no run.
    ///
    /// The history has the names of runs only. A target that is sent again after a pause, or in another environment, belongs to the next run of the name,
    /// or to a replay; a loop sends it again at once.
    private static func groups(of items: [HistoryItem]) -> [Group?] {
        var continues = items.map { _ in false }
        var targets: Set<String> = []
        // From the oldest row to the newest one.
        for index in items.indices.reversed() {
            let item = items[index]
            if index + 1 < items.count {
                let before = items[index + 1]
                let isPaused = item.startedAt.timeIntervalSince(before.startedAt) > before.duration + pause
                let isAgain = isPaused && item.target.map(targets.contains) ?? false
                continues[index] = item.run != nil && item.run == before.run && item.environment == before.environment && !isAgain
            }
            if !continues[index] { targets = [] }
            if let target = item.target { targets.insert(target) }
        }
        return items.indices.map { index in
            guard items[index].run != nil else { return nil }
            let isBelow = index > 0 && continues[index - 1]
            return isBelow ? continues[index] ? .middle : .last : continues[index] ? .first : .only
        }
    }

    private static func marks(of item: HistoryItem, isMarked: Bool, _ group: Group?) -> [Span] {
        [
            Span(isMarked ? "●" : " ", .accent),
            item.isPinned ? Span("◆", .warning) : item.note.isEmpty ? Span(" ") : Span("✎", .info),
            Span(group?.rawValue ?? " ", .muted),
        ]
    }

    private static func texts(of item: HistoryItem, _ moment: HistoryMoment) -> [Column: Span] {
        var tags = item.tags.map { "#" + $0 }.joined(separator: " ")
        if !item.note.isEmpty { tags += (tags.isEmpty ? "" : " ") + "“\(item.note)”" }
        return [
            .time: Span(moment.short(item.startedAt), .muted), .service: Span(item.service ?? ""),
            .method: Span(StatusText.short(item.shownMethod), StatusText.style(of: item.shownMethod)),
            .target: Span(item.target ?? item.urlPathFirst),
            .status: status(of: item), .took: Span(NumberText.seconds(item.duration)),
            .size: Span(
                item.announcedBytes.map { ByteText.share(item.receivedBytes, of: $0) }
                    ?? ByteText.amount(item.kind == .upload ? item.sentBytes : item.receivedBytes)),
            .environment: Span(item.environment ?? "", .muted), .tags: Span(tags, .info),
        ]
    }

    /// The status code, or the word for the outcome.
    static func status(of item: HistoryItem) -> Span {
        switch item.outcome {
        case .answered: item.status.map { StatusText.span($0, grpc: item.grpcStatus) } ?? Span("answered", .success)
        case .failed:
            Span(
                [item.statusText, item.error.map { StatusText.word(ofCode: $0) } ?? "failed"].compactMap { $0 }.joined(separator: " "),
                .error)
        case .cancelled: Span("cancelled", .muted)
        case .superseded: Span("superseded", .muted)
        }
    }
}

/// Lays out the running rows above the history: elapsed time, progress, rate, and the key that stops them.
struct RunningColumns {
    /// The key that stops a row.
    private let stopKey: String
    private static let elapsedWidth = 9

    private let heads: [[Span]]
    private let columns: TransferColumns
    private let bodyWidth: Int
    private let hasStop: Bool

    init(_ state: AppState, _ rows: [RunningRow], width: Int) {
        hasStop = width >= 60
        stopKey = state.key(.stopRow)
        let before = HistoryColumns.marksWidth + Self.elapsedWidth + 2
        bodyWidth = max(1, width - before - (hasStop ? stopKey.count + 8 : 0))
        heads = rows.map { Self.head(of: $0, now: state.now) }
        columns = TransferColumns(rows.map { Self.line(of: $0, state) }, width: bodyWidth, nameShare: 3, now: state.now)
    }

    /// The spans of a row.
    func spans(_ index: Int) -> [Span] {
        // The head has the mark, so the mark of the line is left out.
        let body = Self.cut(Array(columns.spans(index).dropFirst(2)), to: bodyWidth)
        guard hasStop else { return heads[index] + body }
        let used = body.reduce(0) { $0 + CellWidth.width(of: $1.text) }
        let gap = Span(String(repeating: " ", count: max(0, bodyWidth - used) + 2))
        return heads[index] + body + [gap, Span(stopKey, .key), Span(" stops", .muted)]
    }

    private static func cut(_ spans: [Span], to width: Int) -> [Span] {
        var left = width
        return spans.compactMap { span in
            guard left > 0 else { return nil }
            var span = span
            span.text = CellWidth.truncated(span.text, to: left)
            left -= CellWidth.width(of: span.text)
            return span
        }
    }

    private static func head(of row: RunningRow, now: Double) -> [Span] {
        let (mark, elapsed): (Span, Double) =
            switch row {
            case .call(let call): (call.isSuspended ? Span("⏸", .warning) : Span(Spinner.frame(at: now), .accent), call.elapsed)
            case .transfer(let queued):
                (queued.hasPlace ? Span(Spinner.frame(at: now), .accent) : queued.mark, queued.transfer.elapsed)
            case .parked: (Span("⏸", .warning), 0)
            case .run(let run): (Span(Spinner.frame(at: now), .accent), run.elapsed)
            case .batch(let batch): (Span(Spinner.frame(at: now), .accent), batch.elapsed)
            }
        let text = elapsed > 0 ? NumberText.seconds(elapsed) : ""
        return [mark, Span("  "), Span(ColumnText.padded(text, to: elapsedWidth + 2), .muted)]
    }

    private static func line(of row: RunningRow, _ state: AppState) -> TransferLine {
        switch row {
        case .call(let call):
            var line = TransferLine(call)
            line.name = "\(StatusText.short(call.method)) \(call.name)"
            if !call.isCancelling, !call.isSuspended {
                let word = call.queuedBecause == nil ? "sending" : "queued"
                line.state = call.response.map { Span(StatusText.line($0), StatusText.style(of: $0)) } ?? Span(word, .muted)
            }
            return line
        case .transfer(let queued): return TransferLine(queued, state)
        case .parked(let operation):
            var line = TransferLine(
                mark: Span(" "), arrow: "·", name: "\(StatusText.short(operation.call.method)) \(operation.call.name)")
            line.state = Span(operation.parking?.stateText(state) ?? "", .warning)
            return line
        case .run(let run):
            var line = TransferLine(mark: Span(" "), arrow: "»", name: run.name)
            let total = run.record?.steps.count ?? 0
            line.bar = ProgressBar(run.record?.fraction ?? 0)
            line[.bytes] = "\(run.record?.sentCount ?? 0)/\(total)"
            line.state = Span(run.stateText, .muted)
            return line
        case .batch(let batch):
            var line = TransferLine(mark: Span(" "), arrow: "↻", name: "Replay of \(batch.count)")
            line.bar = ProgressBar(Double(batch.ended) / Double(max(1, batch.count)))
            line[.bytes] = "\(batch.ended)/\(batch.count)"
            line.state = Span(batch.isCancelling ? "cancelling" : "", .muted)
            return line
        }
    }
}
