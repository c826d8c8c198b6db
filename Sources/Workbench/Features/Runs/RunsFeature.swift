internal import SortieTerminal
internal import WorkspaceModel

/// The runs tab: the progress of the latest run, each step with its state, and the requests that wait for the network.
struct RunsFeature: TabFeature {
    let tab = BottomTab.runs
    let context = Context.runs
    var guideTopic: String { "runs" }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .restartRun: state.restartRun()
        case .cancelRun: state.cancelRun()
        default: nil
        }
    }

    func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement):
            let steps = state.shownRun?.record?.steps.count ?? 0
            state.selectInRuns(
                movement.target(from: state.selectedInRuns, count: steps + state.parked.count, page: state.layout.bottom.height - 3))
        case .open:
            guard let view = state.selectedParked else { return state.openStep() }
            ServicesFeature.select(.endpoint(view.target), &state)
            state.focus(.response)
        default: return nil
        }
        return []
    }

    func canGoBack(_ state: AppState) -> Bool { state.shownRun?.isUnderWay == true }

    func back(_ state: inout AppState) -> [Effect]? { canGoBack(state) ? state.cancelRun() : nil }

    // MARK: Screen

    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) { state.drawRuns(on: &canvas, in: rect) }

    func click(row: Int, height: Int, _ state: inout AppState) {
        if let row = state.runRow(row: row, height: height) { state.selectInRuns(row) }
    }
}
