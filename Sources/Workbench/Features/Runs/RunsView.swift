internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The runs tab: the progress of the latest run, each step with its state, and the requests that wait for the network.
extension RunsFeature {
    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
        RunsView(state: state, rows: RunsRows(state)).draw(on: &canvas, in: rect)
    }

    func click(row: Int, height: Int, _ state: inout AppState) {
        if let index = RunsRows(state).index(atRow: row, height: height) { Self.select(index, &state) }
    }
}

/// Draws the runs tab.
private struct RunsView {
    let state: AppState
    let rows: RunsRows

    private var now: Double { state.now }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        if let run = rows.run {
            drawHead(run, on: &canvas, in: rect)
        } else if !rows.parked.isEmpty {
            let words = NumberText.count(rows.parked.count, "request") + " for the network"
            canvas.write([Span("⏸ Waiting: ", .warning), Span(words)], at: Point(column: rect.column, row: rect.row), width: rect.width)
        } else {
            canvas.writeHint(
                ["No run was started. Choose one under Runs in Services: \(state.key(.send)) starts it, \(state.key(.open)) shows its progress."],
                in: rect)
            return
        }
        let steps = rows.run?.record?.steps ?? []
        let top = rows.top(height: rect.height)
        let widest = rows.parked.reduce(max(6, rows.run?.nameWidth ?? 0)) { max($0, CellWidth.width(of: $1.call.name)) }
        let nameWidth = min(widest, max(8, rect.width / 3))
        let axis = rows.run.flatMap { RunAxis($0, width: RunAxis.width(of: rect.width, nameWidth: nameWidth)) }
        let head = rows.headRows(rect.height)
        if head > 1, let axis { canvas.write(axis.scale, at: rect.origin.moved(columns: nameWidth + 4, rows: 1), width: axis.width) }
        for offset in 0..<rows.height(rect.height) where top + offset < rows.count {
            let index = top + offset
            let row = rect.row + head + offset
            let bar = index < steps.count ? axis?.bar(of: steps[index], attempts: rows.run?.exchanges[index]?.attempts ?? []) : nil
            let spans =
                index < steps.count
                ? spans(of: steps[index], progress: rows.run?.progress[index], nameWidth: nameWidth, bar: bar ?? [])
                : spans(of: rows.parked[index - steps.count], nameWidth: nameWidth)
            canvas.write(spans, at: Point(column: rect.column, row: row), width: rect.width)
            if index == rows.selected { canvas.select(row: row, in: rect, isFocused: state.isActive(.bottom)) }
        }
    }

    private func spans(of operation: Operation, nameWidth: Int) -> [Span] {
        guard let parking = operation.parking else { return [] }
        let mark: Span =
            switch parking.phase {
            case .waiting: Span("⏸ ", .warning)
            case .out: Span(Spinner.frame(at: now) + " ", .accent)
            case .cancelling: Span("– ", .muted)
            case .doubtful: Span("? ", .warning)
            }
        return [
            mark, Span(ColumnText.padded(operation.call.name, to: nameWidth) + "  "), Span("\(operation.call.method)  ", .muted),
            Span(parking.stateText(state), .warning), Span(parking.reason.isEmpty ? "" : "  " + state.redaction.masked(parking.reason), .muted),
        ]
    }

    private func drawHead(_ run: RunView, on canvas: inout Canvas, in rect: Rect) {
        let point = Point(column: rect.column, row: rect.row)
        guard let record = run.record else {
            let style: Style = if case .notStarted = run.phase { .error } else { .text }
            canvas.write([Span(run.name + "  ", .strong), Span(run.stateText, style)], at: point, width: rect.width)
            return
        }
        let total = record.steps.count
        let seconds = run.isUnderWay ? run.elapsed : record.duration
        var facts = ["\(record.sentCount)/\(total)", run.stateText]
        if record.skippedCount > 0 { facts.append("\(record.skippedCount) skipped") }
        if run.phase != .idle { facts.append(NumberText.seconds(seconds)) }
        if run.phase == .ended, record.state != .finished, let step = record.restartStep {
            let (key, name) = (state.key(.restartRun), record.steps[step].name)
            facts.append(record.steps[step].state == .interrupted ? "\(key) sends \(name) again" : "\(key) continues at \(name)")
        } else if run.isPaused, run.phase == .running {
            facts.append("\(state.key(.pauseRun)) continues")
        }
        let mark: Span =
            switch (run.phase, record.state) {
            case (.ended, .finished): Span("✓ \(run.name)", .success)
            case (.ended, .failed): Span("✗ \(run.name)", .error)
            case (.idle, _): Span(run.name, .text)
            case (.ended, _): Span("– \(run.name)", .warning)
            case (.running, _) where run.isPaused: Span("⏸ \(run.name)", .warning)
            default: Span("\(Spinner.frame(at: now)) \(run.name)", .accent)
            }
        ProgressLine(mark: mark, bar: ProgressBar(record.fraction), facts: facts, now: now)
            .draw(on: &canvas, at: point, width: rect.width)
    }

    private func spans(of step: StepRecord, progress: CallProgress?, nameWidth: Int, bar: [Span]) -> [Span] {
        let (mark, style): (String, Style) =
            switch step.state {
            case .waiting: ("·", .muted)
            case .sending: (Spinner.frame(at: now), .accent)
            case .retrying: ("↻", .warning)
            case .parked: ("⏸", .warning)
            case .done: ("✓", .success)
            case .failed: ("✗", .error)
            case .skipped, .cancelled: ("–", .muted)
            case .interrupted: ("?", .warning)
            }
        var spans = [Span(mark + " ", style), Span(ColumnText.padded(step.name, to: nameWidth) + "  ")]
        if !bar.isEmpty { spans += bar + [Span("  ")] }
        if let status = step.status {
            spans.append(Span("\(status)  ", StatusText.style(ofStatus: status)))
        }
        if case .retrying(let seconds) = step.state {
            spans.append(Span("retrying in \(NumberText.seconds(seconds))", .warning))
        } else if step.status == nil || step.state == .cancelled || step.state == .skipped {
            spans.append(Span(step.state.name + "  ", style))
        }
        if let seconds = step.seconds { spans.append(Span(NumberText.seconds(seconds) + "  ", .muted)) }
        if step.state == .sending, let progress {
            if progress.received > 0 {
                spans.append(Span("↓ " + ByteText.amount(progress.received), .muted))
            } else if progress.sent > 0 {
                spans.append(Span("↑ " + ByteText.amount(progress.sent), .muted))
            }
        }
        if step.state.isEnd, let mark = rows.run?.differences[step.name].flatMap(RunsFeature.differenceMark) {
            spans.append(Span("\(mark.mark) \(mark.text)  ", .warning))
        }
        let reasons = step.failures.map { $0.masked(by: state.redaction).description }.joined(separator: "; ")
        if let reason = step.reason { spans.append(Span(state.redaction.masked(reason), .muted)) }
        if !reasons.isEmpty { spans.append(Span(reasons, .error)) }
        return spans
    }
}
