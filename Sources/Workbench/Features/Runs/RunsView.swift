internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The runs tab: the progress of the latest run, each step with its state, and the requests that wait for the network.
extension AppState {
    /// The run that the tab shows.
    var shownRun: RunView? { runsTab.shown.flatMap { runs[$0] } }

    /// The number of rows below the bar.
    private func runListHeight(_ height: Int) -> Int { max(0, height - 1) }

    /// The number of items below the bar: the steps of the run and the requests that wait for the network.
    private var runRowCount: Int { (shownRun?.record?.steps.count ?? 0) + parked.count }

    func runTop(height: Int) -> Int {
        let height = runListHeight(height)
        return Window.limited(selectedInRuns - height * 2 / 3, count: runRowCount, height: height)
    }

    /// The index of the step or waiting request in a row of the pane; nil for the bar.
    func runRow(row: Int, height: Int) -> Int? {
        guard row > 0 else { return nil }
        let index = runTop(height: height) + row - 1
        return index < runRowCount ? index : nil
    }

    func drawRuns(on canvas: inout Canvas, in rect: Rect) {
        if let run = shownRun {
            drawHead(run, on: &canvas, in: rect)
        } else if !parked.isEmpty {
            let words = NumberText.count(parked.count, "request") + " for the network"
            canvas.write([Span("⏸ Waiting: ", .warning), Span(words)], at: Point(column: rect.column, row: rect.row), width: rect.width)
        } else {
            canvas.writeHint(
                ["No run was started. Choose one under Runs in Services: \(key(.send)) starts it, \(key(.open)) shows its progress."], in: rect)
            return
        }
        let steps = shownRun?.record?.steps ?? []
        let top = runTop(height: rect.height)
        let widest = parked.reduce(max(6, shownRun?.nameWidth ?? 0)) { max($0, CellWidth.width(of: $1.name)) }
        let nameWidth = min(widest, max(8, rect.width / 3))
        for offset in 0..<runListHeight(rect.height) where top + offset < runRowCount {
            let index = top + offset
            let row = rect.row + 1 + offset
            let spans =
                index < steps.count
                ? spans(of: steps[index], progress: shownRun?.progress[index], nameWidth: nameWidth)
                : spans(of: parked[index - steps.count], nameWidth: nameWidth)
            canvas.write(spans, at: Point(column: rect.column, row: row), width: rect.width)
            if index == selectedInRuns { canvas.select(row: row, in: rect, isFocused: isActive(.bottom)) }
        }
    }

    private func spans(of view: ParkedView, nameWidth: Int) -> [Span] {
        let mark: Span =
            switch view.phase {
            case .waiting: Span("⏸ ", .warning)
            case .out: Span(Spinner.frame(at: now) + " ", .accent)
            case .cancelling: Span("– ", .muted)
            case .doubtful: Span("? ", .warning)
            }
        return [
            mark, Span(ColumnText.padded(view.name, to: nameWidth) + "  "), Span("\(view.method)  ", .muted), Span(view.stateText(self), .warning),
            Span(view.reason.isEmpty ? "" : "  " + redaction.masked(view.reason), .muted),
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
        let finished = record.finishedCount
        let seconds = run.isUnderWay ? run.elapsed : record.duration
        var facts = ["\(finished)/\(total)", run.stateText]
        if run.phase != .idle { facts.append(NumberText.seconds(seconds)) }
        if run.phase == .ended, record.state != .finished, let step = record.restartStep {
            facts.append("\(key(.restartRun)) continues at \(record.steps[step].name)")
        }
        let mark: Span =
            switch (run.phase, record.state) {
            case (.ended, .finished): Span("✓ \(run.name)", .success)
            case (.ended, .failed): Span("✗ \(run.name)", .error)
            case (.idle, _): Span(run.name, .text)
            case (.ended, _): Span("– \(run.name)", .warning)
            default: Span("\(Spinner.frame(at: now)) \(run.name)", .accent)
            }
        ProgressLine(mark: mark, bar: ProgressBar(total == 0 ? 1 : Double(finished) / Double(total)), facts: facts, now: now)
            .draw(on: &canvas, at: point, width: rect.width)
    }

    private func spans(of step: StepRecord, progress: Progress?, nameWidth: Int) -> [Span] {
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
        let reasons = step.failures.map { redaction.masked($0.description) }.joined(separator: "; ")
        if !reasons.isEmpty { spans.append(Span(reasons, .error)) }
        return spans
    }
}
