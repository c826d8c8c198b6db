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
    func top(height: Int) -> Int {
        let height = self.height(height)
        return Window.limited(selected - height * 2 / 3, count: count, height: height)
    }

    /// The index of the row at a row of the pane; nil above the steps.
    func index(atRow row: Int, height: Int) -> Int? {
        let head = headRows(height)
        guard row >= head else { return nil }
        let index = top(height: height) + row - head
        return index < count ? index : nil
    }
}
