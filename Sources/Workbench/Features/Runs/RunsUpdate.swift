internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The runs tab: the progress of the latest run, each step with its state, and the requests that wait for the network.
struct RunsFeature: TabFeature {
    let tab = BottomTab.runs
    let context = Context.runs
    var guideTopic: String { "runs" }

    func isEmpty(_ state: AppState) -> Bool { state.runs.isEmpty && state.calls.parked.isEmpty }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .restartRun: return Self.restart(&state)
        case .retryFailed: return state.states[RunsState.self].shown.map { Self.start($0, again: true, onlyFailed: true, &state) } ?? []
        case .cancelRun: return Self.cancel(&state)
        case .pauseRun: return Self.pause(state)
        case .compareStep: return Self.compareStep(&state)
        case .compareRun: return Self.compareRun(&state)
        case .runFolder: return Self.selectedFolder(state).map { Self.start($0, again: false, &state) } ?? []
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
        case .open:
            guard let parked = Self.selectedParked(state) else { return Self.openStep(&state) }
            Self.show(parked, &state)
        default: return nil
        }
        return []
    }

    func canGoBack(_ state: AppState) -> Bool { Self.shownRun(state)?.isUnderWay == true }

    func back(_ state: inout AppState) -> [Effect]? { canGoBack(state) ? Self.cancel(&state) : nil }

    // MARK: Selection

    /// The run that the tab shows.
    static func shownRun(_ state: AppState) -> RunView? { state.states[RunsState.self].shown.flatMap { state.runs[$0] } }

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
        state.runs[name]?.selected = index
        state.runs[name]?.follows = false
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
            state.runs[name] = RunView(id: nil, name: name, phase: .idle, record: RunPlan(definition).newRecord(environment: state.environment))
        }
        show(name, &state)
    }

    /// Starts a run from the beginning, or continues it at the failed step.
    ///
    /// - Parameter onlyFailed: Whether steps that succeeded after a failed one are not sent again.
    static func start(_ name: String, again: Bool, onlyFailed: Bool = false, _ state: inout AppState) -> [Effect] {
        let earlier = state.runs[name]
        if earlier?.isUnderWay == true {
            state.toast = Toast("\(name) is running already; \(state.key(.cancelRun)) in Runs cancels it", .warning)
            return []
        }
        if let reason = state.unreadableReason(.run(name)) {
            state.notify(reason, .error, source: name)
            return []
        }
        guard let definition = state.workspace.run(named: name) else { return begin(name, again: again, onlyFailed: onlyFailed, [:], &state) }
        let scan = TemplateNeedsScan(
            state.workspace, environment: again ? earlier?.environment ?? state.environment : state.environment, overrides: state.overrides)
        return Prompts.ask(scan.needs(of: definition).prompts, for: name, &state) { begin(name, again: again, onlyFailed: onlyFailed, $0, &$1) }
    }

    /// Starts a run with what the user entered for its prompts.
    private static func begin(_ name: String, again: Bool, onlyFailed: Bool, _ values: [String: String], _ state: inout AppState) -> [Effect] {
        let earlier = state.runs[name]
        state.lastNumber += 1
        let id = RunID(state.lastNumber)
        // The record is passed along, so that what is shown and what is sent agree.
        let before = again ? earlier?.record : nil
        let environment = again ? earlier?.environment ?? state.environment : state.environment
        state.runs[name] = RunView(id: id, name: name, phase: .starting, record: nil, environment: environment)
        show(name, &state)
        let from = before.flatMap { onlyFailed ? $0.restartStep == nil ? nil : $0.retryingFailed : restarted($0, state) }
        let sent = from.flatMap { before?.sentAgain(in: $0) } ?? []
        let names = sent.prefix(10).joined(separator: ", ") + (sent.count > 10 ? " …" : "")
        let text = from == nil ? "run started" : sent.isEmpty ? "run continued" : "run continued; sent again: \(names)"
        state.log.append(LogEntry(.info, source: name, text))
        return (values.isEmpty ? [] : [.supplyPrompts(id, values)]) + [.startRun(id, name, environment: environment, from: from)]
    }

    /// The record with which a run continues at the step that ``RunRecord/restartStep`` names; nil where no step is left.
    private static func restarted(_ record: RunRecord, _ state: AppState) -> RunRecord? {
        guard let step = record.restartStep else { return nil }
        // A run that no longer exists is reported by the effect.
        guard let definition = state.workspace.run(named: record.run) else { return record }
        return RunPlan(definition, rowsOf: record).continuing(record, at: [step])
    }

    private static func restart(_ state: inout AppState) -> [Effect] {
        if let parked = selectedParked(state) { return retry(parked, &state) }
        return state.states[RunsState.self].shown.map { start($0, again: true, &state) } ?? []
    }

    private static func cancel(_ state: inout AppState) -> [Effect] {
        if let parked = selectedParked(state) { return cancel(parked, &state) }
        return shownRun(state).map { cancel($0, &state) } ?? []
    }

    /// Cancels a run under way.
    static func cancel(_ run: RunView, _ state: inout AppState) -> [Effect] {
        guard let id = run.id, run.isUnderWay else { return [] }
        state.runs[run.name]?.phase = .cancelling
        return [.cancelRun(id)]
    }

    /// Pauses the shown run before its next steps, or continues it.
    private static func pause(_ state: AppState) -> [Effect] {
        guard let run = shownRun(state), let id = run.id, run.phase == .running else { return [] }
        return [.pauseRun(id, !run.isPaused)]
    }

    /// Compares the response of the selected step with that of the previous run.
    private static func compareStep(_ state: inout AppState) -> [Effect] {
        guard let run = shownRun(state), let record = run.record, record.steps.indices.contains(run.selected) else { return [] }
        let step = PastStep(
            run: run.name, step: record.steps[run.selected].name, environment: record.environment, workspace: state.workspace.folder,
            id: run.exchanges[run.selected]?.id, ignored: state.workspace.run(named: run.name)?.ignored ?? [])
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
        guard let name = state.runs.first(where: { $0.value.id == id })?.key else { return }
        state.runs[name]?.compared(comparison)
        let items = comparison.steps.compactMap { step -> ListPopup.Item? in
            guard let mark = differenceMark(step.result) else { return nil }
            return ListPopup.Item(key: mark.mark, label: step.name, detail: mark.text) { compare(step.name, of: name, &$0) }
        }
        guard !items.isEmpty, state.mayOpen("The comparison") else { return state.notify("\(name): \(comparison.summary)", source: name) }
        var list = ListPopup(title: "Differences of \(name)", message: comparison.summary, items: items)
        list.guideTopic = "runs"
        list.selectCurrent()
        state.show(list)
    }

    /// Selects a step and compares its response with that of the previous run.
    private static func compare(_ step: String, of run: String, _ state: inout AppState) -> [Effect] {
        guard let index = state.runs[run]?.record?.steps.firstIndex(where: { $0.name == step }) else { return [] }
        show(run, &state)
        select(index, &state)
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
        guard let name = state.runs.first(where: { $0.value.id == id })?.key, state.runs[name]?.isUnderWay == true else { return }
        state.runs[name]?.receive(update)
        switch update {
        case .step(_, let step):
            for failure in step.failures {
                state.log.append(LogEntry(.error, source: name, state.redaction.masked("step \(step.name): \(failure.masked(by: state.redaction))")))
            }
        case .finished(let record):
            let level: LogEntry.Level = record.state == .finished ? .info : record.state == .failed ? .error : .warning
            state.notify("Run \(name) \(record.state.rawValue)", level, source: name)
        case .failedToStart(let sentence): state.notify(sentence, .error, source: name)
        case .paused(let isPaused):
            state.log.append(LogEntry(.info, source: name, isPaused ? "paused before its next step" : "continued"))
        case .began, .expanded, .progressed, .exchanged: break
        }
    }

    /// Shows the exchange of a step in the response pane.
    private static func openStep(_ state: inout AppState) -> [Effect] {
        guard let run = shownRun(state), let record = run.record, record.steps.indices.contains(run.selected) else { return [] }
        let step = record.steps[run.selected]
        guard let exchange = run.exchanges[run.selected] else {
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
