internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

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
            case .transfer(let transfer):
                (
                    transfer.phase == .running || transfer.phase == .cancelling ? Span(Spinner.frame(at: now), .accent) : transfer.mark,
                    transfer.elapsed
                )
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
            if call.phase != .cancelling, !call.isSuspended {
                let word = call.queuedBecause == nil ? "sending" : "queued"
                line.state = call.response.map { Span(StatusText.line($0), StatusText.style(of: $0)) } ?? Span(word, .muted)
            }
            return line
        case .transfer(let transfer): return TransferLine(transfer, state)
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
