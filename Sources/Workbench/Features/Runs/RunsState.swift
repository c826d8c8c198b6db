/// The state of the runs tab.
struct RunsState: FeatureState {
    /// The name of the shown run.
    var shown: String?
    /// The selected request that waits for the network; nil when a step is selected.
    var parked: CallID?
}

extension AppState {
    /// The state of the runs tab; the runs themselves are in ``runs``.
    var runsTab: RunsState {
        get { states[RunsState.self] }
        _modify { yield &states[RunsState.self] }
    }
}
