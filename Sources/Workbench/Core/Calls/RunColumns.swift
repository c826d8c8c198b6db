internal import HistoryModel
internal import SortieTerminal
internal import WorkspaceModel

/// A run as shown on the runs tab: in one environment, or in several side by side, which were started together and run one after the other.
struct RunColumns: Sendable {
    /// The run in each environment, in the order of their start; never empty.
    private(set) var views: [RunView]
    /// The index of the selected environment.
    private(set) var column = 0
    /// The steps of the environments side by side; nil for one environment.
    private(set) var table: RunTable?
    /// The selected row of the table.
    private var row = 0
    /// Whether the selection follows the running step, until the user moves it.
    private var follows = true
    /// Whether the run was started again in one environment only, which then stays selected.
    private var continuesOne = false

    /// A run in one environment.
    init(_ view: RunView) { views = [view] }

    /// A run in several environments, of which the others wait for the first one.
    init(_ first: RunView, _ others: [RunView]) {
        views = [first] + others
        for index in views.indices { views[index].bytesLimit = RunView.keptBytes / views.count }
        arrange()
    }

    var name: String { views[0].name }
    /// The run in the selected environment.
    var shown: RunView { views[column] }
    var areSeveral: Bool { views.count > 1 }

    /// Whether the run is in progress in an environment, or is about to be.
    var isUnderWay: Bool { views.contains { $0.isUnderWay || $0.phase == .queued } }

    /// The run in the environment where it is in progress.
    var running: RunView? { views.first(where: \.isUnderWay) }

    /// The state of the environments that ended worst: failed, else cancelled, else finished.
    var worstState: RunRecord.State {
        let states = views.map { $0.phase == .ended ? $0.record?.state : nil }
        return states.contains(.failed) ? .failed : states.contains(.cancelled) ? .cancelled : .finished
    }

    /// The width of the widest step name.
    var nameWidth: Int { views.reduce(0) { max($0, $1.nameWidth) } }

    /// The index of the environment that was started with an identity.
    func column(of id: RunID) -> Int? { views.firstIndex { $0.id == id } }

    // MARK: Progress

    /// Applies an event of the run in one environment; after its end the next one starts.
    ///
    /// - Returns: The view after the event; nil for an event of an earlier start.
    mutating func receive(_ update: RunUpdate, _ id: RunID) -> RunView? {
        guard let index = column(of: id), views[index].isUnderWay || views[index].phase == .queued else { return nil }
        views[index].receive(update)
        if update.changesSteps { arrange() }
        if update.isLast, let next = views.firstIndex(where: { $0.phase == .queued }), running == nil { views[next].phase = .starting }
        follow(update.isLast && !isUnderWay && !continuesOne ? views.firstIndex { $0.record?.failedStep != nil } ?? index : index)
        return views[index]
    }

    /// Marks the run as being cancelled, also in the environments where it has not started.
    ///
    /// - Returns: What is to be cancelled.
    mutating func cancel() -> [RunID] {
        var cancelled: [RunID] = []
        for index in views.indices where views[index].phase != .cancelling && (views[index].isUnderWay || views[index].phase == .queued) {
            views[index].phase = .cancelling
            if let id = views[index].id { cancelled.append(id) }
        }
        return cancelled
    }

    /// Shows another start of the run in the selected environment.
    mutating func restart(_ view: RunView) {
        views[column] = view
        views[column].bytesLimit = RunView.keptBytes / views.count
        (follows, continuesOne) = (true, true)
        arrange()
    }

    /// Marks the steps of an environment whose responses differ from those of the previous run.
    mutating func compared(_ comparison: RunComparison, _ id: RunID) {
        guard let index = column(of: id) else { return }
        views[index].compared(comparison)
    }

    /// Shows the steps that the run has since its file was changed; of several environments only the selected one is shown then.
    mutating func take(_ record: RunRecord) {
        guard !isUnderWay else { return }
        (views, column, table) = ([shown], 0, nil)
        views[0].take(record)
    }

    mutating func tick(_ now: Double) { for index in views.indices { views[index].tick(now) } }

    /// Arranges the steps side by side; the selection stays on its step.
    private mutating func arrange() {
        guard areSeveral else { return }
        let selected = table.flatMap { $0.rows.indices.contains(row) ? $0.rows[row].name : nil }
        let new = RunTable(views.map { $0.record?.steps ?? [] })
        table = new
        row = selected.flatMap { name in new.rows.firstIndex { $0.name == name } } ?? row.clamped(to: 0...max(0, new.rows.count - 1))
    }

    /// Selects the current step of an environment.
    private mutating func follow(_ index: Int) {
        guard areSeveral, follows, let new = table?.row(ofStep: views[index].selected, inColumn: index) else { return }
        column = index
        row = new
    }

    // MARK: Rows

    var rowCount: Int { table?.rows.count ?? views[0].record?.steps.count ?? 0 }

    /// The selected row.
    var selectedRow: Int { areSeveral ? row : views[0].selected }

    /// The index of the selected step in the record of the selected environment; nil where it has no such step.
    var selectedStep: Int? {
        let index = areSeveral ? table.flatMap { $0.rows.indices.contains(row) ? $0.rows[row].steps[column] : nil } : views[0].selected
        return index.flatMap { shown.record?.steps.indices.contains($0) == true ? $0 : nil }
    }

    /// The step of a row in each environment.
    func steps(inRow row: Int) -> [StepRecord?] {
        guard let table else { return [views[0].record?.steps[row]] }
        return views.indices.map { step(inRow: row, of: table, column: $0) }
    }

    private func step(inRow row: Int, of table: RunTable, column: Int) -> StepRecord? {
        guard let index = table.rows[row].steps[column], let steps = views[column].record?.steps, steps.indices.contains(index) else { return nil }
        return steps[index]
    }

    /// Whether the outcomes of a step differ between the environments in which it has ended.
    func differs(inRow row: Int) -> Bool {
        guard let table else { return false }
        var first: StepRecord??
        for column in views.indices {
            let step = step(inRow: row, of: table, column: column)
            guard step?.state.isEnd ?? (views[column].phase == .ended) else { continue }
            if let first, RunTable.differ(first, step) { return true }
            if first == nil { first = .some(step) }
        }
        return false
    }

    /// The number of steps whose outcomes differ.
    var differenceCount: Int { (0..<rowCount).count { differs(inRow: $0) } }

    // MARK: Selection

    mutating func select(row new: Int) {
        keepSelection()
        guard let table else {
            views[0].selected = new
            return
        }
        row = new.clamped(to: 0...max(0, table.rows.count - 1))
    }

    mutating func select(column new: Int) {
        keepSelection()
        column = new.clamped(to: 0...(views.count - 1))
    }

    /// Ends following the running step.
    mutating func keepSelection() {
        follows = false
        for index in views.indices { views[index].follows = false }
    }
}

extension RunUpdate {
    /// Whether steps may have been added or replaced.
    fileprivate var changesSteps: Bool {
        switch self {
        case .began, .expanded, .finished: true
        case .step, .progressed, .exchanged, .paused, .failedToStart, .cancelledBeforeStart: false
        }
    }

    /// Whether no event follows.
    fileprivate var isLast: Bool {
        switch self {
        case .finished, .failedToStart, .cancelledBeforeStart: true
        case .began, .step, .expanded, .progressed, .exchanged, .paused: false
        }
    }
}
