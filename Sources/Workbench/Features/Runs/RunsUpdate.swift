internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The runs tab: the progress of the latest run, each step with its state, and the requests that wait for the network.
struct RunsFeature: TabFeature {
    let tab = BottomTab.runs
    let context = Context.runs
    let stacks: [[Context]] = [[.runs, .panes], Context.typingSearch, [.runEnvironments, .menu]]

    func guideAddress(_ state: AppState) -> String {
        if Self.selectedParked(state) != nil { return "runs#requests-that-wait-for-the-network" }
        return Self.shownRun(state)?.record?.failedStep == nil ? "runs" : "runs#when-a-step-fails"
    }

    /// Names a credential in clear text among the variables of the steps.
    func alert(_ state: AppState) -> Span? {
        guard state.isFocused(.runs) else { return nil }
        var found = ClearCredentials(ignoring: state.workspace.publicValues)
        for step in Self.definition(state)?.steps ?? [] { found.add(step) }
        guard let first = found.credentials.first else { return nil }
        let remedy = state.size.width < 100 ? "" : "; \(state.key(.makeStepSecret)) hides it"
        return Span("\(first.label) in clear text\(remedy)", .warning)
    }

    func isEmpty(_ state: AppState) -> Bool { state.runs.isEmpty && state.calls.parked.isEmpty }

    func label(of command: Command, _ state: AppState) -> String? {
        switch command {
        case .pauseRun where Self.shownRuns(state)?.running?.isPaused == true: "Resume"
        case .resumeRun where Self.selectedParked(state) != nil: "Send again"
        case .send where Self.shownRun(state) != nil: "Run"
        default: nil
        }
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .resumeRun: return Self.resume(&state)
        case .retryFailed: return state.states[RunsState.self].shown.map { Self.start($0, again: true, onlyFailed: true, &state) } ?? []
        case .cancelRun: return Self.cancel(&state)
        case .pauseRun: return Self.pause(state)
        case .compareStep: return Self.compareStep(&state)
        case .compareRun: return Self.compareRun(&state)
        case .runInEnvironments: Self.chooseEnvironments(&state)
        case .runFolder: return Self.selectedFolder(state).map { Self.start($0, again: false, &state) } ?? []
        case .addStep, .editStep, .moveStepUp, .moveStepDown, .toggleParallel, .makeStepSecret, .deleteStep, .undoStep:
            return Self.performOnStep(command, &state)
        case .showSelectedRun: if case .run(let name) = state.services.selected { Self.look(at: name, &state) }
        default: return nil
        }
        return []
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement):
            let rows = RunsRows(state)
            Self.select(movement.target(from: rows.selected, count: rows.count, page: state.layout.bottom.height - 3), &state)
        case .fold: Self.moveColumn(by: -1, &state)
        case .unfold: Self.moveColumn(by: 1, &state)
        case .open:
            guard let parked = Self.selectedParked(state) else { return Self.openStep(&state) }
            Self.show(parked, &state)
        default: return nil
        }
        return []
    }

    // MARK: Selection

    /// The run that the tab shows, in its environments.
    static func shownRuns(_ state: AppState) -> RunColumns? { state.states[RunsState.self].shown.flatMap { state.runs[$0] } }

    /// The run that the tab shows, in the selected environment.
    static func shownRun(_ state: AppState) -> RunView? { shownRuns(state)?.shown }

    /// The selected step of the shown run in the selected environment.
    static func selectedStep(_ state: AppState) -> (run: RunView, index: Int, step: StepRecord)? {
        guard let runs = shownRuns(state), let index = runs.selectedStep, let step = runs.shown.record?.steps[index] else { return nil }
        return (runs.shown, index, step)
    }

    /// The selected request that waits for the network.
    static func selectedParked(_ state: AppState) -> Operation? {
        guard state.isFocused(.runs), let id = state.states[RunsState.self].parked, let operation = state.calls[id] else { return nil }
        return operation.parking == nil ? nil : operation
    }

    /// The run that Ctrl-R starts.
    static func runToStart(_ state: AppState) -> String? {
        if state.focus == .services, case .run(let name) = state.services.selected { return name }
        if state.isFocused(.runs) { return state.states[RunsState.self].shown }
        return nil
    }

    /// The service or the folder that is selected in Services.
    static func selectedFolder(_ state: AppState) -> String? {
        switch state.services.selected {
        case .service(let folder), .group(let folder): folder
        case .endpoint, .run, .runs, nil: nil
        }
    }

    /// Selects a step or a request that waits for the network.
    static func select(_ index: Int, _ state: inout AppState) {
        let rows = RunsRows(state)
        let parked = index - rows.stepCount
        state.states[RunsState.self].parked = rows.parked.indices.contains(parked) ? rows.parked[parked].id : nil
        guard let name = state.states[RunsState.self].shown, index < rows.stepCount else { return }
        state.runs[name]?.select(row: index)
    }

    /// Selects the environment at a distance.
    private static func moveColumn(by distance: Int, _ state: inout AppState) {
        guard let runs = shownRuns(state) else { return }
        state.runs[runs.name]?.select(column: runs.column + distance)
    }

    /// How a run is resumed; nil where no step failed.
    static func continuation(of run: RunView, _ state: AppState) -> String? {
        guard run.phase == .ended, let record = run.record, record.state != .finished, let step = record.restartStep else { return nil }
        let (key, name) = (state.key(.resumeRun), record.steps[step].name)
        return record.steps[step].state == .interrupted ? "\(key) sends \(name) again" : "\(key) resumes at \(name)"
    }

    // MARK: Runs

    /// Shows a run on the runs tab.
    static func show(_ name: String, _ state: inout AppState) {
        state.states[RunsState.self] = RunsState(shown: name)
        state.show(BottomTab.runs)
    }

    /// Shows the state of a run, or its steps when it was not started.
    static func look(at name: String, _ state: inout AppState) {
        if state.runs[name] == nil, let definition = state.workspace.run(named: name) {
            let record = RunPlan(definition).newRecord(environment: state.environment)
            state.runs[name] = RunColumns(RunView(id: nil, name: name, phase: .idle, record: record))
        }
        show(name, &state)
    }

    /// Starts a run from the beginning in the selected environment of the workspace, or continues it at the failed step in the environment that is
    /// selected in the tab.
    ///
    /// - Parameter onlyFailed: Whether steps that succeeded after a failed one are not sent again.
    static func start(_ name: String, again: Bool, onlyFailed: Bool = false, _ state: inout AppState) -> [Effect] {
        guard mayStart(name, &state) else { return [] }
        let environment = again ? state.runs[name]?.shown.environment ?? state.environment : state.environment
        return confirmUnsafe(again ? nil : name, &state) { onlySafe, state in
            askPrompts(of: name, in: [environment], areSeveral: false, &state) {
                begin(name, again: again, onlyFailed: onlyFailed, onlySafe: onlySafe, $0, &$1)
            }
        }
    }

    /// Starts a run from the beginning, in one environment after the other.
    static func start(_ name: String, in environments: [String], _ state: inout AppState) -> [Effect] {
        guard mayStart(name, &state), !environments.isEmpty else { return [] }
        return confirmUnsafe(name, &state) { onlySafe, state in
            askPrompts(of: name, in: environments, areSeveral: environments.count > 1, &state) {
                begin(name, in: environments, onlySafe: onlySafe, $0, &$1)
            }
        }
    }

    /// Whether a run can be started; otherwise the reason is shown.
    private static func mayStart(_ name: String, _ state: inout AppState) -> Bool {
        if state.runs[name]?.isUnderWay == true {
            state.toast = Toast("\(name) is running already; \(state.key(.cancelRun)) in Runs cancels it", .warning)
            return false
        }
        guard let reason = state.unreadableReason(.run(name)) else { return true }
        state.notify(reason, .error, source: name)
        return false
    }

    /// Asks for the values of the prompts, for one environment after the other, because a label can stand for another secret in each; continues with
    /// the values of each.
    private static func askPrompts(
        of name: String, in environments: [String?], areSeveral: Bool, answered: [[String: String]] = [], _ state: inout AppState,
        then work: @escaping @Sendable ([[String: String]], inout AppState) -> [Effect]
    ) -> [Effect] {
        guard answered.count < environments.count else { return work(answered, &state) }
        let environment = environments[answered.count]
        guard let definition = state.workspace.run(named: name) else { return work(environments.map { _ in [:] }, &state) }
        let questions = TemplateNeedsScan(state.workspace, environment: environment, overrides: state.overrides).needs(of: definition).prompts
        return Prompts.ask(questions, for: areSeveral ? "\(name) in \(environment ?? "")" : name, &state) { values, state in
            askPrompts(of: name, in: environments, areSeveral: areSeveral, answered: answered + [values], &state, then: work)
        }
    }

    /// Starts a run in several environments with what the user entered for its prompts.
    private static func begin(
        _ name: String, in environments: [String], onlySafe: Bool, _ values: [[String: String]], _ state: inout AppState
    ) -> [Effect] {
        let starts = environments.map { environment in
            state.lastNumber += 1
            let from = safeRecord(onlySafe, of: name, in: environment, state)
            return RunStart(RunID(state.lastNumber), environment: environment, from: from)
        }
        let views = starts.enumerated().map { index, start in
            RunView(id: start.id, name: name, phase: index == 0 ? .starting : .queued, environment: start.environment)
        }
        state.runs[name] = RunColumns(views[0], Array(views.dropFirst()))
        show(name, &state)
        state.log.append(LogEntry(.info, source: name, "run started in \(environments.joined(separator: ", "))"))
        return zip(starts, values).filter { !$1.isEmpty }.map { .supplyPrompts($0.id, $1) } + [.startRuns(name, starts)]
    }

    /// Starts a run in one environment with what the user entered for its prompts.
    private static func begin(
        _ name: String, again: Bool, onlyFailed: Bool, onlySafe: Bool, _ values: [[String: String]], _ state: inout AppState
    ) -> [Effect] {
        let earlier = state.runs[name]?.shown
        state.lastNumber += 1
        let id = RunID(state.lastNumber)
        // The record is passed along, so that what is shown and what is sent agree.
        let before = again ? earlier?.record : nil
        let environment = again ? earlier?.environment ?? state.environment : state.environment
        let view = RunView(id: id, name: name, phase: .starting, record: nil, environment: environment)
        if again, state.runs[name] != nil { state.runs[name]?.restart(view) } else { state.runs[name] = RunColumns(view) }
        show(name, &state)
        let from = before.flatMap { onlyFailed ? $0.restartStep == nil ? nil : $0.retryingFailed : restarted($0, state) }
        let first = safeRecord(onlySafe, of: name, in: environment, state)
        let sent = from.flatMap { before?.sentAgain(in: $0) } ?? []
        let names = sent.prefix(10).joined(separator: ", ") + (sent.count > 10 ? " …" : "")
        let text = from == nil ? "run started" : sent.isEmpty ? "run resumed" : "run resumed; sent again: \(names)"
        state.log.append(LogEntry(.info, source: name, text))
        return values.filter { !$0.isEmpty }.map { .supplyPrompts(id, $0) } + [.startRun(id, name, environment: environment, from: from ?? first)]
    }

    /// The record with which a run continues at the step that ``RunRecord/restartStep`` names; nil where no step is left.
    private static func restarted(_ record: RunRecord, _ state: AppState) -> RunRecord? {
        guard let step = record.restartStep else { return nil }
        // A run that no longer exists is reported by the effect.
        guard let definition = state.workspace.run(named: record.run) else { return record }
        return RunPlan(definition, rowsOf: record).continuing(record, at: [step])
    }

    private static func resume(_ state: inout AppState) -> [Effect] {
        if let parked = selectedParked(state) { return retry(parked, &state) }
        return state.states[RunsState.self].shown.map { start($0, again: true, &state) } ?? []
    }

    private static func cancel(_ state: inout AppState) -> [Effect] {
        if let parked = selectedParked(state) { return cancel(parked, &state) }
        return state.states[RunsState.self].shown.map { cancelRun($0, &state) } ?? []
    }

    /// Cancels a run under way, also in the environments where it has not started.
    static func cancelRun(_ name: String, _ state: inout AppState) -> [Effect] { (state.runs[name]?.cancel() ?? []).map { .cancelRun($0) } }

    /// Pauses the shown run before its next steps, or continues it.
    private static func pause(_ state: AppState) -> [Effect] {
        guard let run = shownRuns(state)?.running, let id = run.id, run.phase == .running else { return [] }
        return [.pauseRun(id, !run.isPaused)]
    }

    /// Compares the response of the selected step with that of the previous run.
    private static func compareStep(_ state: inout AppState) -> [Effect] {
        guard let (run, index, selected) = selectedStep(state) else { return [] }
        let step = PastStep(
            run: run.name, step: selected.name, environment: run.record?.environment, workspace: state.workspace.folder,
            id: run.exchanges[index]?.id, ignored: state.workspace.run(named: run.name)?.ignored ?? [])
        let id = state.nextJob(CompareJob(numbers: []))
        state.toast = Toast("Comparing…", job: id)
        return [.history(id, .compareStep(step))]
    }

    /// Compares the responses of the shown run with those of the previous run.
    private static func compareRun(_ state: inout AppState) -> [Effect] {
        guard let run = shownRun(state), let id = run.id, let record = run.record else { return [] }
        let past = PastRun(
            run: run.name, environment: record.environment, workspace: state.workspace.folder,
            steps: record.steps.compactMap { step in run.sent[step.name].map { PastRun.Step(name: step.name, id: $0) } },
            ignored: state.workspace.run(named: run.name)?.ignored ?? [], redacted: state.workspace.redact)
        let job = state.nextJob(CompareRunJob(run: id))
        state.toast = Toast("Comparing…", job: job)
        return [.history(job, .compareRun(past))]
    }

    /// Marks the steps that differ, and lists them; of a run that was started again meanwhile, nothing is shown.
    static func compared(_ comparison: RunComparison, _ id: RunID, _ state: inout AppState) {
        guard let name = state.runs.first(where: { $0.value.column(of: id) != nil })?.key else { return }
        state.runs[name]?.compared(comparison, id)
        let items = comparison.steps.compactMap { step -> ListPopup.Item? in
            guard let mark = differenceMark(step.result) else { return nil }
            return ListPopup.Item(key: mark.mark, label: step.name, detail: mark.text) { compare(step.name, of: name, id, &$0) }
        }
        guard !items.isEmpty, state.mayOpen("The comparison") else { return state.notify("\(name): \(comparison.summary)", source: name) }
        var list = ListPopup(title: "Differences of \(name)", message: comparison.summary, items: items)
        list.guideAddress = "runs#comparing-with-the-previous-run"
        list.selectCurrent()
        state.show(list)
    }

    /// Selects a step and compares its response with that of the previous run.
    private static func compare(_ step: String, of run: String, _ id: RunID, _ state: inout AppState) -> [Effect] {
        guard let runs = state.runs[run], let column = runs.column(of: id),
            let index = runs.views[column].record?.steps.firstIndex(where: { $0.name == step })
        else { return [] }
        show(run, &state)
        state.runs[run]?.select(column: column)
        select(runs.table?.row(ofStep: index, inColumn: column) ?? index, &state)
        return compareStep(&state)
    }

    /// The mark and the text of a step whose response is not known to be equal; nil for others.
    static func differenceMark(_ result: RunComparison.Result) -> (mark: String, text: String)? {
        switch result {
        case .different: ("≠", "differs")
        case .unknown: ("?", "cannot be compared")
        case .noResponse: ("✗", "no response now")
        case .equal, .new: nil
        }
    }

    /// Handles an event of a run; events of an earlier start are dropped.
    static func happened(_ update: RunUpdate, in id: RunID, _ state: inout AppState) {
        guard let name = state.runs.first(where: { $0.value.column(of: id) != nil })?.key, let view = state.runs[name]?.receive(update, id),
            let runs = state.runs[name]
        else { return }
        let place = runs.areSeveral ? view.environment.map { " in \($0)" } ?? "" : ""
        switch update {
        case .step(_, let step):
            for failure in step.failures {
                let reason = StatusText.text(of: failure.masked(by: state.redaction))
                state.log.append(LogEntry(.error, source: name, state.redaction.masked("step \(step.name)\(place): \(reason)")))
            }
        case .finished(let record):
            guard runs.areSeveral, !runs.isUnderWay else {
                state.notify("Run \(name) \(record.state.rawValue)\(place)", level(of: record.state), source: name)
                return
            }
            state.log.append(LogEntry(level(of: record.state), source: name, "\(record.state.rawValue)\(place)"))
            let worst = runs.worstState
            let names = runs.views.filter { $0.phase == .ended && $0.record?.state == worst }.compactMap(\.environment)
            let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
            state.notify("Run \(name) \(worst.rawValue) in \(shown); \(differenceText(runs))", level(of: worst), source: name)
        case .failedToStart(let sentence): state.notify(sentence, .error, source: name)
        case .cancelledBeforeStart: state.log.append(LogEntry(.warning, source: name, "cancelled before its start\(place)"))
        case .paused(let isPaused):
            state.log.append(LogEntry(.info, source: name, isPaused ? "paused before its next step" : "resumed"))
        case .began, .expanded, .progressed, .exchanged: break
        }
    }

    private static func level(of state: RunRecord.State) -> LogEntry.Level { state == .finished ? .info : state == .failed ? .error : .warning }

    /// How many steps differ between the environments.
    static func differenceText(_ runs: RunColumns) -> String {
        let count = runs.differenceCount
        return count == 0 ? "no step differs" : count == 1 ? "1 step differs" : "\(count) steps differ"
    }

    /// Shows the exchange of a step in the response pane.
    private static func openStep(_ state: inout AppState) -> [Effect] {
        guard let (run, index, step) = selectedStep(state) else { return [] }
        // What is opened is what was selected when the key was pressed; the next step does not take the selection.
        state.runs[run.name]?.keepSelection()
        guard let exchange = run.exchanges[index] else {
            state.toast = Toast(noExchangeReason(step), .warning)
            return []
        }
        guard let endpoint = state.endpoint(EndpointID(step.target)) else {
            state.toast = Toast("The workspace no longer has the endpoint \(step.target)", .warning)
            return []
        }
        guard state.calls[endpoint.id]?.isInFlight != true else {
            state.toast = Toast("\(endpoint.name) is being sent; wait for its response", .warning)
            return []
        }
        var checked = exchange
        if checked.expectationResult == nil {
            // The error of the call is shown separately.
            let failures = step.failures.filter { $0.kind == .expectation || $0.kind == .preparation }.filter {
                $0.subject != exchange.error?.code.rawValue
            }
            checked.expectationResult = failures.isEmpty ? nil : ExpectationResult(failures: failures)
        }
        let id = state.calls.record(checked, of: endpoint)
        EndpointCall.wasReplaced(endpoint.id, selects: false, &state)
        ServicesFeature.select(.endpoint(endpoint.id), &state)
        state.focus(.response)
        // The request pane shows the endpoint in the environment of the workbench, and without the values of the step.
        if run.environment != state.environment || step.repetition != nil || step.row > 0 {
            let place = run.environment.map { " in \($0)" } ?? ""
            let request = exchange.request
            state.toast = Toast(
                state.redaction.masked("\(step.name) was sent\(place): \(request.method.rawValue) \(request.url.masked(by: state.redaction))"))
        }
        return exchange.response.map { ResponseFeature.grow(id, to: $0.body, isFinal: true, &state) } ?? []
    }

    static func noExchangeReason(_ step: StepRecord) -> String {
        switch step.state {
        case .waiting, .skipped: "\(step.name) was not sent" + (step.reason.map { ": \($0)" } ?? "")
        case .sending, .retrying, .parked: "\(step.name) has no response yet"
        case .failed where step.status == nil: "\(step.name) got no response: the row has the reason"
        case .interrupted: "\(step.name) has no response: the program ended while it was in flight"
        case .done, .failed, .cancelled: "The response of \(step.name) is no longer stored"
        }
    }

    // MARK: Parked requests

    /// Resumes requests that an earlier session left waiting for the network.
    ///
    /// Those that were being sent then wait for the user.
    static func takeUp(_ left: [ParkedRequest], _ state: inout AppState) -> [Effect] {
        var waiting: [ParkedSending] = []
        for request in left {
            let id = state.calls.takeUp(request)
            if !request.isOut { waiting.append(ParkedSending(id: id, request: request)) }
        }
        return waiting.isEmpty ? [] : [.sendParked(waiting)]
    }

    /// Shows a request that waits for the network in the response pane.
    static func show(_ parked: Operation, _ state: inout AppState) {
        if let endpoint = parked.endpoint {
            ServicesFeature.select(.endpoint(endpoint), &state)
        } else {
            ResponseFeature.showReplay(parked.call, &state)
        }
        state.focus(.response)
    }

    /// Retries parked requests; one that may have arrived is sent again.
    private static func retry(_ parked: Operation, _ state: inout AppState) -> [Effect] {
        guard case .doubtful(let request) = parked.parking?.phase else { return [.tryParked] }
        state.calls.change(parked.id) { $0.parking?.phase = .waiting }
        state.calls.makeLatest(parked.id)
        if let endpoint = parked.endpoint { EndpointCall.wasReplaced(endpoint, selects: false, &state) }
        return [.sendParked([ParkedSending(id: parked.id, request: request)])]
    }

    /// Cancels a request that waits for the network; one of an earlier session is removed.
    static func cancel(_ parked: Operation, _ state: inout AppState) -> [Effect] {
        if case .doubtful(let request) = parked.parking?.phase {
            state.calls.remove(parked.id)
            state.log.append(LogEntry(.info, source: parked.call.source, "removed; it may have arrived before"))
            return [.dropParked(request.id)]
        }
        state.calls.cancelParked(parked.id)
        return [.cancel(parked.id)]
    }
}
