internal import SortieTerminal
internal import WorkspaceModel

/// The state of the runs tab; the runs themselves are in ``AppState/runs``.
struct RunsState: FeatureState {
    /// The name of the shown run.
    var shown: String?
    /// The selected request that waits for the network; nil when a step is selected.
    var parked: CallID?
}

/// The rows of the runs tab below the bar: the steps of the shown run in its environments, then the requests that wait for the network.
struct RunsRows {
    let run: RunColumns?
    let parked: [Operation]
    /// The selected row.
    let selected: Int

    init(_ state: AppState) {
        let tab = state.states[RunsState.self]
        run = tab.shown.flatMap { state.runs[$0] }
        parked = state.calls.parked
        let index = parked.firstIndex { $0.id == tab.parked }
        selected = index.map { [run] in (run?.rowCount ?? 0) + $0 } ?? run?.selectedRow ?? 0
    }

    var stepCount: Int { run?.rowCount ?? 0 }
    var count: Int { stepCount + parked.count }

    /// The number of rows above the steps: the progress, and where there is room for it the names of the environments, or the scale of the bars.
    func headRows(_ height: Int) -> Int {
        if run?.areSeveral == true { return height >= 3 ? 2 : 1 }
        let hasAxis = run?.shown.record?.steps.contains { $0.startedAfter != nil } ?? false
        return hasAxis && height >= 5 ? 2 : 1
    }

    /// The number of visible rows.
    func height(_ height: Int) -> Int { max(0, height - headRows(height)) }

    /// The first visible row.
    func top(height: Int) -> Int { Window.top(showing: selected, count: count, height: self.height(height)) }

    /// The index of the row at a row of the pane; nil above the steps.
    func index(atRow row: Int, height: Int) -> Int? {
        let head = headRows(height)
        guard row >= head else { return nil }
        let index = top(height: height) + row - head
        return index < count ? index : nil
    }
}

extension Context {
    static let runs = Context("Runs")
    /// The choice of the environments of a run.
    static let runEnvironments = Context("Environments of a run")
}

extension BottomTab {
    static let runs = BottomTab("Runs")
}

extension Command {
    static let resumeRun = Command.named("resumeRun")
    /// Sends only the steps again that failed or were not reached.
    static let retryFailed = Command.named("retryFailed")
    static let cancelRun = Command.named("cancelRun")
    /// Pauses the shown run before its next steps, or continues it.
    static let pauseRun = Command.named("pauseRun")
    /// Compares the response of the selected step with that of the previous run.
    static let compareStep = Command.named("compareStep")
    /// Compares the responses of the shown run with those of the previous run.
    static let compareRun = Command.named("compareRun")
    /// Starts a run in several environments.
    static let runInEnvironments = Command.named("runInEnvironments")
    static let markAllEnvironments = Command.named("markAllEnvironments", isInPalette: false)
    /// Sends all endpoints of the service or folder that is selected in Services.
    static let runFolder = Command.named("runFolder")
    /// Shows the run that is selected in Services.
    static let showSelectedRun = Command.named("showSelectedRun", isInPalette: false)
}

extension RunsFeature {
    var bindings: [Binding] {
        Self.stepBindings + [
            Binding(.runs, [.enter], .open, "Show", "Show the request and the response of the step", hint: 3, unless: Self.noStepReason),
            Binding(
                .runs, [.character("r")], .resumeRun, "Resume", "Resume the run at the failed step; send a request that waits for the network",
                hint: 4,
                unless: Self.cannotResumeReason),
            Binding(
                .runs, [.character("x")], .cancelRun, "Cancel", "Cancel the run, or a request that waits for the network", hint: 2,
                unless: Self.noRunReason),
            Binding(
                .runs, [.character("p")], .pauseRun, "Pause", "Pause the run before its next step, or resume it", hint: 5,
                unless: Self.cannotPauseReason),
            Binding(
                .runs, [.character("c")], .compareStep, "Compare", "Compare the response of the step with that of the previous run", hint: 6,
                unless: Self.cannotCompareReason),
            Binding(
                .runs, [.character("d")], .compareRun, "Differences", "List the steps whose responses differ from those of the previous run",
                hint: 7, unless: Self.cannotCompareRunReason),
            Binding(
                .runs, [.character("e")], .runInEnvironments, "Environments",
                "Start the run in several environments, one after the other, and show the results side by side", hint: 8,
                unless: Self.cannotRunInEnvironmentsReason
            ).alsoKnownAs("Side by side", "Matrix"),
            Binding(
                .everywhere, [], .retryFailed, "Retry failed", "Send only the steps of the shown run again that failed or were not reached",
                unless: Self.cannotRetryReason),
            Binding(
                .everywhere, [], .runFolder, "Run folder", "Send all endpoints of the service or folder that is selected in Services",
                unless: Self.noFolderReason
            ).alsoKnownAs("Send all", "Batch"),
            Binding(.runEnvironments, [.up], .move(.up), "Up", "Move up"),
            Binding(.runEnvironments, [.down], .move(.down), "Down", "Move down"),
            Binding(.runEnvironments, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.runEnvironments, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(.runEnvironments, [.enter], .choose, "Start", "Start the run in the marked environments", hint: 1),
            Binding(.runEnvironments, [.space], .toggle, "Mark", "Mark or unmark the environment", hint: 2),
            Binding(.runEnvironments, [.character("a")], .markAllEnvironments, "All", "Mark all environments, or none", hint: 3),
            Binding(.runEnvironments, [.escape, .control("c")], .close, "Close", "Close without doing anything", hint: 4),
            Binding(.panes, [.character("R")], .show(.runs), "Runs", "Show Runs"),
        ]
    }
}

/// The reasons why commands are unavailable; nil for an available command.
extension RunsFeature {
    private static func noStepReason(_ state: AppState) -> String? {
        shownRun(state)?.record == nil && selectedParked(state) == nil ? "No run is shown" : nil
    }

    private static func noRunReason(_ state: AppState) -> String? {
        shownRuns(state)?.isUnderWay == true || selectedParked(state) != nil ? nil : "No run is in progress here"
    }

    private static func cannotPauseReason(_ state: AppState) -> String? {
        guard let run = shownRuns(state)?.running else { return "No run is in progress here" }
        return run.phase == .running ? nil : "\(run.name) is \(run.stateText)"
    }

    private static func cannotCompareReason(_ state: AppState) -> String? {
        guard selectedParked(state) == nil, let (_, _, step) = selectedStep(state) else { return "No step is selected" }
        if !state.history.isOn { return "Sortie was started without the history" }
        return step.status == nil ? noExchangeReason(step) : nil
    }

    private static func cannotCompareRunReason(_ state: AppState) -> String? {
        guard let run = shownRun(state) else { return "No run is shown" }
        if shownRuns(state)?.isUnderWay == true { return "\(run.name) is still running" }
        if !state.history.isOn { return "Sortie was started without the history" }
        return run.sent.isEmpty ? "\(run.name) was not sent since the start of the program; \(state.key(.send)) starts it" : nil
    }

    private static func cannotRetryReason(_ state: AppState) -> String? {
        guard let run = shownRun(state) else { return "No run is shown" }
        if shownRuns(state)?.isUnderWay == true { return "\(run.name) is still running" }
        guard run.phase == .ended, let record = run.record, record.restartStep != nil else { return "No step of \(run.name) failed" }
        guard let step = record.steps.first(where: { $0.state == .interrupted }) else { return nil }
        return "The server may have received \(step.name); \(state.key(.resumeRun)) in Runs sends it again"
    }

    private static func cannotRunInEnvironmentsReason(_ state: AppState) -> String? {
        guard let name = runForEnvironments(state) else { return "No run is shown; Enter on a run in Services shows its steps" }
        if state.workspace.environments.count < 2 { return "The workspace has no second environment; \(state.key(.chooseEnvironment)) creates one" }
        return state.unreadableReason(.run(name)) ?? (state.runs[name]?.isUnderWay == true ? "\(name) is running already" : nil)
    }

    private static func noFolderReason(_ state: AppState) -> String? {
        guard let name = selectedFolder(state) else { return "No service or folder is selected in Services" }
        guard let run = state.workspace.run(named: name) else { return "\(name) has no endpoints" }
        if run.steps.isEmpty { return "\(name) has only downloads and connections that stay open" }
        return state.runs[name]?.isUnderWay == true ? "\(name) is running already" : nil
    }

    private static func cannotResumeReason(_ state: AppState) -> String? {
        if selectedParked(state) != nil { return nil }
        guard let run = shownRun(state) else { return "No run is shown" }
        if shownRuns(state)?.isUnderWay == true { return "\(run.name) is still running" }
        // A run that was cancelled before its start in this environment has no step to continue at.
        if shownRuns(state)?.areSeveral == true, run.record == nil { return nil }
        if run.phase == .idle { return "\(run.name) was not started; \(state.key(.send)) starts it" }
        guard let record = run.record, record.restartStep != nil else {
            return "No step failed; \(state.key(.send)) starts the run from the beginning"
        }
        return nil
    }
}
