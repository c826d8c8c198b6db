internal import HistoryModel
internal import SortieBase

/// A running row above the history.
enum RunningRow: Sendable {
    enum ID: Hashable, Sendable {
        case call(CallID)
        case run(String)
        case batch
    }

    /// A call in flight.
    case call(Call)
    /// A download or an upload that runs or waits.
    case transfer(Transfer)
    /// A request that waits for the network.
    case parked(Operation)
    case run(RunView)
    /// A replay of several exchanges.
    case batch(ReplayBatch)

    var id: ID {
        switch self {
        case .call(let call): .call(call.id)
        case .transfer(let transfer): .call(transfer.id)
        case .parked(let operation): .call(operation.id)
        case .run(let run): .run(run.name)
        case .batch: .batch
        }
    }
}

/// A row of the history tab.
enum HistoryRow: Sendable {
    case running(RunningRow)
    case ended(HistoryItem)
}

extension AppState {
    /// The running rows in the order of their start, so that a new one does not move the others.
    var runningRows: [RunningRow] {
        var rows: [RunningRow] = []
        if let batch = calls.batch { rows.append(.batch(batch)) }
        rows += calls.inFlight.map { .call($0.call) }
        rows += calls.transfers.filter { $0.phase != .unfinished }.map { .transfer($0) }
        rows += runs.values.filter(\.isUnderWay).sorted { ($0.id?.number ?? 0) < ($1.id?.number ?? 0) }.map { .run($0) }
        rows += calls.parked.map { .parked($0) }
        return rows
    }

    /// All loaded rows: the running ones, if the newest exchanges are loaded, then the ended ones.
    var historyRows: [HistoryRow] {
        let running = history.window.hasNewer ? [] : runningRows.map { HistoryRow.running($0) }
        return running + history.window.items.map { .ended($0) }
    }

    /// The index of the selected row.
    func historyIndex(in rows: [HistoryRow]) -> Int {
        let running = rows.count - history.window.items.count
        let index: Int =
            switch history.selection {
            case .newest: 0
            case .running(let id, let place):
                rows.prefix(running).firstIndex { if case .running(let row) = $0 { row.id == id } else { false } } ?? place
            case .ended(let number): running + (history.window.index(of: number) ?? 0)
            }
        return index.clamped(to: 0...max(0, rows.count - 1))
    }

    var isHistoryFocused: Bool { isFocused(.history) }

    /// Whether the history tab is focused and its first rows have not arrived yet.
    var awaitsHistory: Bool {
        isHistoryFocused && history.isOn && history.moment == nil && history.problem == nil && historyRows.isEmpty
    }

    /// The selected row; nil when another pane has the focus.
    var selectedHistoryRow: HistoryRow? {
        guard isHistoryFocused else { return nil }
        let rows = historyRows
        return rows.isEmpty ? nil : rows[historyIndex(in: rows)]
    }

    /// The selected exchange.
    var selectedItem: HistoryItem? {
        if case .ended(let item) = selectedHistoryRow { item } else { nil }
    }

    /// The selected running row.
    var selectedRunning: RunningRow? {
        if case .running(let row) = selectedHistoryRow { row } else { nil }
    }

    /// The exchanges that a command applies to: the marked ones, the oldest first, otherwise the selected one.
    var chosenItems: [HistoryItem] {
        history.marked.isEmpty ? selectedItem.map { [$0] } ?? [] : history.marked.sorted { $0.number < $1.number }
    }

    mutating func selectHistory(_ index: Int) {
        let rows = historyRows
        guard rows.indices.contains(index) else { return }
        switch rows[index] {
        case .running(let row): history.selection = .running(row.id, at: index)
        case .ended(let item): history.selection = index == 0 && !history.window.hasNewer ? .newest : .ended(item.number)
        }
    }
}
