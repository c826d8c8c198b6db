internal import Model
internal import Terminal

/// The run that was started or opened last: a bar for the whole, and each step with its state.
extension AppState {
    /// The run that the pane shows.
    var shownRun: RunView? { bottom.run.flatMap { runs[$0] } }

    /// The rows below the bar.
    private func runListHeight(_ height: Int) -> Int { max(0, height - 1) }

    func runTop(height: Int) -> Int {
        guard let run = shownRun else { return 0 }
        let height = runListHeight(height)
        return Window.limited(run.selected - height * 2 / 3, count: run.record?.steps.count ?? 0, height: height)
    }

    /// The step in a row of the pane, nil for the bar.
    func runStep(row: Int, height: Int) -> Int? {
        guard row > 0, let count = shownRun?.record?.steps.count else { return nil }
        let index = runTop(height: height) + row - 1
        return index < count ? index : nil
    }

    func drawRuns(on canvas: inout Canvas, in rect: Rect) {
        guard let run = shownRun else {
            canvas.writeHint(
                ["No run was started. Choose one under Runs in Services: Ctrl-R starts it, Enter shows how far it got."], in: rect)
            return
        }
        drawHead(run, on: &canvas, in: rect)
        guard let record = run.record else { return }
        let top = runTop(height: rect.height)
        let nameWidth = min(record.steps.reduce(6) { max($0, CellWidth.width(of: $1.name)) }, max(8, rect.width / 3))
        for offset in 0..<runListHeight(rect.height) where top + offset < record.steps.count {
            let index = top + offset
            let row = rect.row + 1 + offset
            let spans = spans(of: record.steps[index], progress: run.progress[index], nameWidth: nameWidth)
            canvas.write(spans, at: Point(column: rect.column, row: row), width: rect.width)
            if index == run.selected { canvas.select(row: row, in: rect, isFocused: focus == .bottom && popup == nil) }
        }
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
        if run.phase == .ended, record.state != .finished, let step = record.restartStep { facts.append("r goes on at \(record.steps[step].name)") }
        let mark: Span =
            switch (run.phase, record.state) {
            case (.ended, .finished): Span("✓ \(run.name)", .success)
            case (.ended, .failed): Span("✗ \(run.name)", .error)
            case (.idle, _): Span(run.name, .text)
            case (.ended, _): Span("– \(run.name)", .warning)
            default: Span("\(Spinner.frame(at: now)) \(run.name)", .accent)
            }
        ProgressLine(mark: mark, fraction: total == 0 ? 1 : Double(finished) / Double(total), facts: facts, now: now)
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
