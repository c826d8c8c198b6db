internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Draws a run in several environments: a row for each step, a column for each environment.
struct RunTableView {
    let state: AppState
    let run: RunColumns

    private var now: Double { state.now }

    /// The progress in all environments.
    var head: ProgressLine {
        let records = run.views.compactMap(\.record)
        // The number of steps of an environment that has not started is expected to be that of the first one.
        let expected = run.views.map { $0.record?.steps.count ?? records.first?.steps.count ?? 0 }
        let total = expected.reduce(0, +)
        let sent = records.reduce(0) { $0 + $1.sentCount }
        let skipped = records.reduce(0) { $0 + $1.skippedCount }
        let shares = zip(run.views, expected).reduce(0.0) { $0 + ($1.0.record?.fraction ?? 0) * Double($1.1) }
        let count = "\(sent)/\(total)"
        let differing = run.differenceCount
        let difference = (differing > 0 ? "≠ " : "") + RunsFeature.differenceText(run)
        var facts: [String] = []
        if let running = run.running {
            facts += [running.environment.map { "\(running.stateText) in \($0)" } ?? running.stateText, count]
            if differing > 0 { facts.append(difference) }
            if running.isPaused, running.phase == .running { facts.append("\(state.key(.pauseRun)) continues") }
        } else {
            facts +=
                ["\(run.shown.environment ?? "") \(run.shown.stateText)", difference]
                + (RunsFeature.continuation(of: run.shown, state).map { [$0] } ?? []) + [count]
        }
        if skipped > 0 { facts.append("\(skipped) skipped") }
        facts.append(NumberText.seconds(run.views.reduce(0) { $0 + ($1.isUnderWay ? $1.elapsed : $1.record?.duration ?? 0) }))
        return ProgressLine(mark: mark, bar: ProgressBar(total == 0 ? 0 : shares / Double(total)), facts: facts, now: now)
    }

    private var mark: Span {
        let name = run.name
        if let running = run.running {
            return running.isPaused ? Span("⏸ \(name)", .warning) : Span("\(Spinner.frame(at: now)) \(name)", .accent)
        }
        let states = run.views.map { $0.phase == .ended ? $0.record?.state : nil }
        if states.allSatisfy({ $0 == .finished }) { return Span("✓ \(name)", .success) }
        let hasFailed = zip(run.views, states).contains { view, state in
            if case .notStarted = view.phase { view.record == nil && !states.contains(.cancelled) } else { state == .failed }
        }
        return hasFailed ? Span("✗ \(name)", .error) : Span("– \(name)", .warning)
    }

    /// Draws the names of the environments.
    func drawTitles(_ columns: RunTableColumns, on canvas: inout Canvas, at point: Point, width: Int) {
        for column in columns.shown {
            let view = run.views[column]
            var spans = [StepMark.span(of: view, now: now)]
            if columns.width(column) > 1 {
                spans.append(Span(" " + CellWidth.truncated(view.environment ?? "", to: columns.width(column) - 2), titleStyle(column)))
            }
            canvas.write(spans, at: point.moved(columns: columns.start(column)), width: columns.width(column))
        }
        // Where names of environments do not fit, that of the selected one is shown.
        guard columns.detail == .mark else { return }
        let (title, room) = (run.shown.environment ?? "", width - columns.end)
        let isBehind = CellWidth.width(of: title) > columns.nameWidth && room > columns.nameWidth
        canvas.write(
            CellWidth.truncated(title, to: isBehind ? room : columns.nameWidth),
            at: point.moved(columns: isBehind ? columns.end : RunTableColumns.markWidth), style: .titleFocused,
            width: isBehind ? room : columns.nameWidth)
    }

    private func titleStyle(_ column: Int) -> Style { column == run.column ? .titleFocused : .title }

    /// Draws a row.
    func draw(row: Int, _ columns: RunTableColumns, on canvas: inout Canvas, at point: Point, width: Int) {
        let steps = run.steps(inRow: row)
        let differs = run.differs(inRow: row)
        let name = run.table?.rows[row].name ?? ""
        canvas.write([Span(differs ? "≠ " : "  ", .warning), Span(ColumnText.padded(name, to: columns.nameWidth))], at: point, width: width)
        for column in columns.shown {
            let spans = cell(steps[column], of: run.views[column], columns.detail)
            canvas.write(spans, at: point.moved(columns: columns.start(column)), width: min(columns.width(column), width - columns.start(column)))
        }
        let room = width - columns.end
        if room > 3 { canvas.write(explanations(steps), at: point.moved(columns: columns.end), width: room) }
    }

    private func cell(_ step: StepRecord?, of view: RunView, _ detail: RunTableColumns.Detail) -> [Span] {
        guard let step else { return view.record == nil ? [] : [Span("–", .muted)] }
        let mark = StepMark.span(of: step.state, now: now)
        guard detail != .mark else { return [mark] }
        guard let status = step.status, step.state != .cancelled, step.state != .skipped else {
            return detail == .time ? [mark, Span(" " + step.state.name, mark.style)] : [mark]
        }
        let spans = [mark, Span(" \(status)", StatusText.style(ofStatus: status))]
        guard detail == .time, let seconds = step.seconds else { return spans }
        return spans + [Span("  " + NumberText.seconds(seconds), .muted)]
    }

    /// The difference from the previous run in the selected environment, then the reasons of failures and of skipped steps, those of the selected
    /// environment first.
    private func explanations(_ steps: [StepRecord?]) -> [Span] {
        var spans: [Span] = []
        if let step = steps[run.column], step.state.isEnd, let mark = run.shown.differences[step.name].flatMap(RunsFeature.differenceMark) {
            spans.append(Span("\(mark.mark) \(mark.text) from the previous run  ", .warning))
        }
        let order = [run.column] + run.views.indices.filter { $0 != run.column }
        for column in order {
            guard let step = steps[column] else { continue }
            let name = run.views[column].environment.map { $0 + ": " } ?? ""
            let failures = step.failures.map { $0.masked(by: state.redaction).description }.joined(separator: "; ")
            if !failures.isEmpty { spans.append(Span("\(name)\(failures)  ", .error)) }
            if let reason = step.reason { spans.append(Span("\(name)\(state.redaction.masked(reason))  ", .muted)) }
        }
        return spans
    }
}
