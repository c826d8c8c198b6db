internal import Foundation
internal import HistoryModel
internal import SortieBase
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
            let words = ItemCount.text(rows.parked.count, "request") + " for the network"
            canvas.write([Span("⏸ Waiting: ", .warning), Span(words)], at: Point(column: rect.column, row: rect.row), width: rect.width)
        } else {
            canvas.writeHint(
                [
                    "No run was started. Choose one under Runs in Services: \(state.key(.send)) starts it, \(state.key(.open)) shows its progress.",
                    "\(state.key(.toggle, in: .services)) there marks endpoints, and \(state.key(.newRun)) makes a run of them.",
                ],
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
        let definition = state.workspace.runs.first { $0.name == run.name }
        let outline = definition.map { RunOutline($0, in: state.workspace) }
        for index in visible where steps.indices.contains(index) {
            let place = outline?.index(named: steps[index].name)
            let bar = axis?.bar(of: steps[index], attempts: run.exchanges[index]?.attempts ?? []) ?? []
            let spans = spans(
                of: steps[index], progress: run.progress[index], difference: run.differences[steps[index].name], nameWidth: nameWidth, bar: bar,
                join: place.flatMap { definition?.groupMark(ofStep: $0) } ?? " ")
            let facts = place.flatMap { outline?[$0] }.map { Self.spans(of: $0) } ?? []
            canvas.write(spans + facts, at: point(ofRow: index, in: rect), width: rect.width)
            guard index == rows.selected else { continue }
            select(index, on: &canvas, in: rect)
            if ColumnText.width(of: spans + facts) > rect.width { drawWhole(spans.filter { !bar.contains($0) } + facts, on: &canvas, in: rect) }
        }
    }

    /// Draws the text of a row that is cut below the rows where there is room, without its bar.
    private func drawWhole(_ spans: [Span], on canvas: inout Canvas, in rect: Rect) {
        let words = spans.map(\.text).joined().split(separator: "  ").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
        let lines = WrappedText.lines(words.joined(separator: " · "), width: rect.width)
        let start = point(ofRow: rows.count, in: rect).moved(rows: 1)
        guard start.row + lines.count <= rect.endRow else { return }
        canvas.write(lines: lines, at: start, style: .muted, width: rect.width)
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
            facts.append("\(state.key(.pauseRun)) resumes")
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
        of step: StepRecord, progress: CallProgress?, difference: RunComparison.Result?, nameWidth: Int, bar: [Span],
        join: String
    ) -> [Span] {
        let mark = StepMark.span(of: step.state, now: now)
        var spans = [mark, Span(join, .muted), Span(ColumnText.padded(step.name, to: nameWidth) + "  ")]
        if !bar.isEmpty { spans += bar + [Span("  ")] }
        if let status = step.status {
            spans += [StatusText.span(status, grpc: step.grpcStatus), Span("  ")]
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
        let reasons = step.failures.map { StatusText.text(of: $0.masked(by: state.redaction)) }.joined(separator: "; ")
        if let reason = step.reason { spans.append(Span(state.redaction.masked(reason) + "  ", .muted)) }
        if !reasons.isEmpty { spans.append(Span(reasons + "  ", .error)) }
        return spans
    }

    /// What a step uses and captures, and when and how often it is sent.
    private static func spans(of outline: StepOutline) -> [Span] {
        var spans = outline.uses.map { name in
            outline.missing.contains(name) ? Span("← \(name) is not captured before  ", .error) : Span("← \(name)  ", .muted)
        }
        if !outline.captures.isEmpty { spans.append(Span("→ \(outline.captures.joined(separator: ", "))  ", .accent)) }
        if let condition = outline.condition { spans.append(Span("if \(condition)  ", .muted)) }
        if let repetition = outline.repetition { spans.append(Span(repetition, .muted)) }
        return spans
    }
}

extension RunDefinition {
    /// The mark that joins the steps of a parallel group; nil for a step that is sent by itself.
    fileprivate func groupMark(ofStep index: Int) -> String? {
        guard let group = steps[index].group else { return nil }
        let isFirst = index == 0 || steps[index - 1].group != group
        let isLast = index == steps.count - 1 || steps[index + 1].group != group
        return isFirst ? isLast ? nil : "┌" : isLast ? "└" : "│"
    }
}

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
            if running.isPaused, running.phase == .running { facts.append("\(state.key(.pauseRun)) resumes") }
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
        let spans = [mark, Span(" "), StatusText.span(status, grpc: step.grpcStatus)]
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
            let failures = step.failures.map { StatusText.text(of: $0.masked(by: state.redaction)) }.joined(separator: "; ")
            if !failures.isEmpty { spans.append(Span("\(name)\(failures)  ", .error)) }
            if let reason = step.reason { spans.append(Span("\(name)\(state.redaction.masked(reason))  ", .muted)) }
        }
        return spans
    }
}

/// The marks of steps and of runs.
enum StepMark {
    /// The mark of the state of a step, one cell wide.
    static func span(of state: StepRecord.State, now: Double) -> Span {
        switch state {
        case .waiting: Span("·", .muted)
        case .sending: Span(Spinner.frame(at: now), .accent)
        case .retrying: Span("↻", .warning)
        case .parked: Span("⏸", .warning)
        case .done: Span("✓", .success)
        case .failed: Span("✗", .error)
        case .skipped, .cancelled: Span("–", .muted)
        case .interrupted: Span("?", .warning)
        }
    }

    /// The mark of a run in an environment, one cell wide.
    static func span(of run: RunView, now: Double) -> Span {
        switch run.phase {
        case .idle, .queued: Span("·", .muted)
        case .notStarted: run.isCancelledBeforeStart ? Span("–", .warning) : Span("✗", .error)
        case .running where run.isPaused: Span("⏸", .warning)
        case .starting, .running, .cancelling: Span(Spinner.frame(at: now), .accent)
        case .ended:
            switch run.record?.state {
            case .finished: Span("✓", .success)
            case .failed: Span("✗", .error)
            default: Span("–", .warning)
            }
        }
    }
}
