internal import SortieHTTP
internal import WorkspaceModel

/// Starting runs and handling their events.
extension AppState {
    /// The run that Ctrl-R starts.
    var runToStart: String? {
        if focus == .services, case .run(let name) = services.selected { return name }
        if isFocused(.runs) { return runsTab.shown }
        return nil
    }

    /// Shows a run on the runs tab.
    mutating func show(run name: String) {
        runsTab.shown = name
        runsTab.parked = nil
        show(BottomTab.runs)
    }

    /// Shows the state of a run, or its steps when it was not started.
    mutating func look(at name: String) {
        if runs[name] == nil, let definition = workspace.runs.first(where: { $0.name == name }) {
            runs[name] = RunView(id: nil, name: name, phase: .idle, record: RunPlan(definition).newRecord(environment: environment))
        }
        show(run: name)
    }

    /// Starts a run from the beginning, or continues it at the failed step.
    mutating func start(run name: String, again: Bool) -> [Effect] {
        if runs[name]?.isUnderWay == true {
            toast = Toast("\(name) is running already; \(key(.cancelRun)) in Runs cancels it", .warning)
            return []
        }
        lastNumber += 1
        let id = RunID(lastNumber)
        // The record is passed along, so that what is shown and what is sent agree.
        let step = again ? runs[name]?.record?.restartStep : nil
        let environment = again ? runs[name]?.environment ?? environment : environment
        let before = again ? runs[name]?.record : nil
        runs[name] = RunView(id: id, name: name, phase: .starting, record: nil, environment: environment)
        show(run: name)
        let from = step.flatMap { step in before.map { $0.restarting(at: step) } }
        log.append(LogEntry(.info, source: name, from == nil ? "run started" : "run started again at \(before?.steps[step ?? 0].name ?? "")"))
        return [.startRun(id, name, environment: environment, from: from)]
    }

    mutating func restartRun() -> [Effect] {
        if selectedParked != nil { return tryParked() }
        guard let name = runsTab.shown else { return [] }
        return start(run: name, again: true)
    }

    mutating func cancelRun() -> [Effect] {
        if let view = selectedParked { return cancelParked(view) }
        guard let name = runsTab.shown, let id = runs[name]?.id, runs[name]?.isUnderWay == true else { return [] }
        runs[name]?.phase = .cancelling
        return [.cancelRun(id)]
    }

    /// Handles an event of a run; events of an earlier start are dropped.
    mutating func happened(_ update: RunUpdate, in id: RunID) {
        guard let name = runs.first(where: { $0.value.id == id })?.key, runs[name]?.isUnderWay == true else { return }
        switch update {
        case .began(let record):
            runs[name]?.begin(record)
            if runs[name]?.phase == .starting { runs[name]?.phase = .running }
            runs[name]?.selected = record.steps.firstIndex { $0.state != .done } ?? 0
        case .step(let index, let step): change(name, index, step)
        case .progressed(let index, let progress): runs[name]?.progress[index] = progress
        case .exchanged(let index, let exchange): runs[name]?.keep(exchange, of: index)
        case .finished(let record):
            runs[name]?.record = record
            runs[name]?.phase = .ended
            runs[name]?.progress = [:]
            if let failed = record.failedStep, runs[name]?.follows == true { runs[name]?.selected = failed }
            let level: LogEntry.Level = record.state == .finished ? .info : record.state == .failed ? .error : .warning
            notify("Run \(name) \(record.state.rawValue)", level, source: name)
        case .failedToStart(let sentence):
            runs[name]?.phase = .notStarted(sentence)
            notify(sentence, .error, source: name)
        }
    }

    private mutating func change(_ name: String, _ index: Int, _ step: StepRecord) {
        guard runs[name]?.record?.steps.indices.contains(index) == true else { return }
        runs[name]?.record?.steps[index] = step
        if step.state == .failed, runs[name]?.record?.failedStep == nil { runs[name]?.record?.failedStep = index }
        if step.state.isEnd { runs[name]?.progress[index] = nil }
        if runs[name]?.follows == true, step.state == .sending { runs[name]?.selected = index }
        for failure in step.failures {
            log.append(LogEntry(.error, source: name, redaction.masked("step \(step.name): \(failure)")))
        }
    }

    /// Shows the exchange of a step in the response pane.
    mutating func openStep() -> [Effect] {
        guard let run = shownRun, let record = run.record, record.steps.indices.contains(run.selected) else { return [] }
        let step = record.steps[run.selected]
        guard let exchange = run.exchanges[run.selected] else {
            toast = Toast(noExchangeReason(step), .warning)
            return []
        }
        guard let endpoint = endpoint(step.target) else {
            toast = Toast("The workspace no longer has the endpoint \(step.target)", .warning)
            return []
        }
        guard calls[step.target]?.isInFlight != true else {
            toast = Toast("\(endpoint.name) is being sent; wait for its response", .warning)
            return []
        }
        lastNumber += 1
        let id = CallID(lastNumber)
        calls[step.target] = Call(id, endpoint)
        responses[step.target, default: ResponseState()].startOver()
        ResponseFeature.forgetSearches(of: step.target, &self)
        ServicesFeature.select(.endpoint(step.target), &self)
        focus(.response)
        var checked = exchange
        // The error of the call is shown separately.
        let failures = step.failures.filter { $0.kind == .expectation || $0.kind == .preparation }.filter {
            $0.subject != exchange.error?.code.rawValue
        }
        checked.expectationResult = failures.isEmpty ? nil : ExpectationResult(failures: failures)
        calls[step.target]?.finish(checked)
        guard let response = exchange.response else { return [] }
        let mode = responses[step.target]?.mode
        calls[step.target]?.grow(to: response.body, isFinal: true, mode: mode)
        return continueIndex(step.target)
    }

    private func noExchangeReason(_ step: StepRecord) -> String {
        switch step.state {
        case .waiting, .skipped: "\(step.name) was not sent"
        case .sending, .retrying, .parked: "\(step.name) has no response yet"
        case .failed where step.status == nil: "\(step.name) got no response: the row has the reason"
        case .interrupted: "\(step.name) has no response: the program ended while it was in flight"
        case .done, .failed, .cancelled: "The response of \(step.name) is no longer stored"
        }
    }

    /// The selected row of the runs tab below the bar: a step or a request that waits for the network.
    var selectedInRuns: Int {
        if let index = parked.firstIndex(where: { $0.id == runsTab.parked }) { return (shownRun?.record?.steps.count ?? 0) + index }
        return shownRun?.selected ?? 0
    }

    mutating func selectInRuns(_ row: Int) {
        let steps = shownRun?.record?.steps.count ?? 0
        runsTab.parked = parked.indices.contains(row - steps) ? parked[row - steps].id : nil
        guard let name = runsTab.shown, row < steps else { return }
        runs[name]?.selected = row
        runs[name]?.follows = false
    }

    var noStepReason: String? { shownRun?.record == nil && selectedParked == nil ? "No run is shown" : nil }

    var noRunReason: String? { shownRun?.isUnderWay == true || selectedParked != nil ? nil : "No run is in progress here" }

    var cannotRestartReason: String? {
        if selectedParked != nil { return nil }
        guard let run = shownRun else { return "No run is shown" }
        if run.isUnderWay { return "\(run.name) is still running" }
        if run.phase == .idle { return "\(run.name) was not started; \(key(.send)) starts it" }
        guard let record = run.record, record.restartStep != nil else { return "No step failed; \(key(.send)) starts the run from the beginning" }
        return nil
    }
}
