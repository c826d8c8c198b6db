internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The runs tab: the progress of the latest run, each step with its state, and the requests that wait for the network.
extension RunsFeature {
    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
        RunsView(state: state, rows: RunsRows(state)).draw(on: &canvas, in: rect)
    }

    func click(at point: Point, _ layout: Layout, _ state: inout AppState) {
        let rect = layout.bottom.inset()
        guard rect.contains(point) else { return }
        click(row: point.row - rect.row, height: rect.height, &state)
        guard let run = Self.shownRuns(state), run.areSeveral else { return }
        let column = RunTableColumns(run, width: rect.width).column(at: point.column - rect.column)
        if let column { state.runs[run.name]?.select(column: column) }
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
        if let run = rows.run, run.areSeveral {
            RunTableView(state: state, run: run).head.draw(on: &canvas, at: rect.origin, width: rect.width)
        } else if let run = rows.run?.shown {
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
        let top = rows.top(height: rect.height)
        let widest = rows.parked.reduce(max(6, rows.run?.nameWidth ?? 0)) { max($0, CellWidth.width(of: $1.call.name)) }
        let nameWidth = min(widest, max(8, rect.width / 3))
        let visible = (0..<rows.height(rect.height)).map { top + $0 }.filter { $0 < rows.count }
        if let run = rows.run, run.areSeveral {
            drawTable(run, visible.filter { $0 < rows.stepCount }, on: &canvas, in: rect)
        } else if let run = rows.run?.shown {
            drawSteps(run, visible.filter { $0 < rows.stepCount }, nameWidth: nameWidth, on: &canvas, in: rect)
        }
        for index in visible where index >= rows.stepCount {
            canvas.write(spans(of: rows.parked[index - rows.stepCount], nameWidth: nameWidth), at: point(ofRow: index, in: rect), width: rect.width)
            if index == rows.selected { select(index, on: &canvas, in: rect) }
        }
    }

    private func point(ofRow index: Int, in rect: Rect) -> Point {
        rect.origin.moved(rows: rows.headRows(rect.height) + index - rows.top(height: rect.height))
    }

    private func select(_ index: Int, on canvas: inout Canvas, in rect: Rect) {
        canvas.select(row: point(ofRow: index, in: rect).row, in: rect, isFocused: state.isActive(.bottom))
    }

    private func drawSteps(_ run: RunView, _ visible: [Int], nameWidth: Int, on canvas: inout Canvas, in rect: Rect) {
        let axis = RunAxis(run, width: RunAxis.width(of: rect.width, nameWidth: nameWidth))
        if rows.headRows(rect.height) > 1, let axis {
            canvas.write(axis.scale, at: rect.origin.moved(columns: nameWidth + 4, rows: 1), width: axis.width)
        }
        let steps = run.record?.steps ?? []
        for index in visible where steps.indices.contains(index) {
            let bar = axis?.bar(of: steps[index], attempts: run.exchanges[index]?.attempts ?? []) ?? []
            let spans = spans(
                of: steps[index], progress: run.progress[index], difference: run.differences[steps[index].name], nameWidth: nameWidth, bar: bar)
            canvas.write(spans, at: point(ofRow: index, in: rect), width: rect.width)
            if index == rows.selected { select(index, on: &canvas, in: rect) }
        }
    }

    /// Draws the steps of several environments; the name and the cell of the selected environment are selected.
    private func drawTable(_ run: RunColumns, _ visible: [Int], on canvas: inout Canvas, in rect: Rect) {
        let view = RunTableView(state: state, run: run)
        let columns = RunTableColumns(run, width: rect.width)
        if rows.headRows(rect.height) > 1 { view.drawTitles(columns, on: &canvas, at: rect.origin.moved(rows: 1), width: rect.width) }
        for index in visible {
            let point = point(ofRow: index, in: rect)
            view.draw(row: index, columns, on: &canvas, at: point, width: rect.width)
            guard index == rows.selected else { continue }
            let cells = [(0, RunTableColumns.markWidth + columns.nameWidth), (columns.start(run.column), columns.width(run.column))]
            for (start, width) in cells {
                let area = Rect(column: rect.column + start, row: point.row, width: max(0, min(width, rect.width - start)), height: 1)
                canvas.select(row: point.row, in: area, isFocused: state.isActive(.bottom))
            }
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
        if let continuation = RunsFeature.continuation(of: run, state) {
            facts.append(continuation)
        } else if run.isPaused, run.phase == .running {
            facts.append("\(state.key(.pauseRun)) continues")
        }
        let mark: Span =
            switch (run.phase, record.state) {
            case (.ended, .finished): Span("✓ \(run.name)", .success)
            case (.ended, .failed): Span("✗ \(run.name)", .error)
            case (.idle, _), (.queued, _): Span(run.name, .text)
            case (.ended, _): Span("– \(run.name)", .warning)
            case (.running, _) where run.isPaused: Span("⏸ \(run.name)", .warning)
            default: Span("\(Spinner.frame(at: now)) \(run.name)", .accent)
            }
        ProgressLine(mark: mark, bar: ProgressBar(record.fraction), facts: facts, now: now)
            .draw(on: &canvas, at: point, width: rect.width)
    }

    private func spans(
        of step: StepRecord, progress: CallProgress?, difference: RunComparison.Result?, nameWidth: Int, bar: [Span]
    ) -> [Span] {
        let mark = StepMark.span(of: step.state, now: now)
        var spans = [mark, Span(" " + ColumnText.padded(step.name, to: nameWidth) + "  ")]
        if !bar.isEmpty { spans += bar + [Span("  ")] }
        if let status = step.status {
            spans.append(Span("\(status)  ", StatusText.style(ofStatus: status)))
        }
        if case .retrying(let seconds) = step.state {
            spans.append(Span("retrying in \(NumberText.seconds(seconds))", .warning))
        } else if step.status == nil || step.state == .cancelled || step.state == .skipped {
            spans.append(Span(step.state.name + "  ", mark.style))
        }
        if let seconds = step.seconds { spans.append(Span(NumberText.seconds(seconds) + "  ", .muted)) }
        if step.state == .sending, let progress {
            if progress.received > 0 {
                spans.append(Span("↓ " + ByteText.amount(progress.received), .muted))
            } else if progress.sent > 0 {
                spans.append(Span("↑ " + ByteText.amount(progress.sent), .muted))
            }
        }
        if step.state.isEnd, let mark = difference.flatMap(RunsFeature.differenceMark) {
            spans.append(Span("\(mark.mark) \(mark.text)  ", .warning))
        }
        let reasons = step.failures.map { $0.masked(by: state.redaction).description }.joined(separator: "; ")
        if let reason = step.reason { spans.append(Span(state.redaction.masked(reason), .muted)) }
        if !reasons.isEmpty { spans.append(Span(reasons, .error)) }
        return spans
    }
}
