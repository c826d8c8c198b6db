internal import Model

/// Something under way that stands above the history.
enum RunningRow: Sendable {
    enum ID: Hashable, Sendable {
        case call(CallID)
        case run(String)
        case batch
    }

    /// A call in flight, under its key.
    case call(Call, key: String)
    /// A download or an upload that runs or waits.
    case transfer(Transfer)
    /// A request that waits for the network.
    case parked(ParkedView)
    case run(RunView)
    /// Exchanges that are sent again.
    case batch(ReplayBatch)

    var id: ID {
        switch self {
        case .call(let call, _): .call(call.id)
        case .transfer(let transfer): .call(transfer.id)
        case .parked(let view): .call(view.id)
        case .run(let run): .run(run.name)
        case .batch: .batch
        }
    }
}

/// One row of the board of all work.
enum HistoryRow: Sendable {
    case running(RunningRow)
    case ended(HistoryItem)
}

extension AppState {
    /// What is under way, in the order in which it began, so that what begins now moves nothing that a person looks at.
    var runningRows: [RunningRow] {
        var rows: [RunningRow] = []
        if let batch = history.batch { rows.append(.batch(batch)) }
        rows += calls.filter { $0.value.isInFlight && transfers[$0.value.id] == nil && !isParked($0.value.id) }
            .sorted { $0.value.id.number < $1.value.id.number }.map { .call($0.value, key: $0.key) }
        rows += transfers.active.filter { $0.phase != .unfinished }.map { .transfer($0) }
        rows += runs.values.filter(\.isUnderWay).sorted { ($0.id?.number ?? 0) < ($1.id?.number ?? 0) }.map { .run($0) }
        rows += parked.map { .parked($0) }
        return rows
    }

    /// The rows at hand: what is under way, where the newest are at hand, then what ended.
    var historyRows: [HistoryRow] {
        let running = history.window.hasNewer ? [] : runningRows.map { HistoryRow.running($0) }
        return running + history.window.items.map { .ended($0) }
    }

    /// The place of the selected row.
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

    var isHistoryFocused: Bool { focus == .bottom && bottom.tab == .history }

    /// Whether the rows are looked at and the first of them are still awaited.
    var awaitsHistory: Bool {
        isHistoryFocused && history.isOn && history.moment == nil && history.problem == nil && historyRows.isEmpty
    }

    /// The selected row; nil where another pane has the focus.
    var selectedHistoryRow: HistoryRow? {
        guard isHistoryFocused else { return nil }
        let rows = historyRows
        return rows.isEmpty ? nil : rows[historyIndex(in: rows)]
    }

    /// The selected exchange.
    var selectedItem: HistoryItem? {
        if case .ended(let item) = selectedHistoryRow { item } else { nil }
    }

    /// The selected row that runs.
    var selectedRunning: RunningRow? {
        if case .running(let row) = selectedHistoryRow { row } else { nil }
    }

    /// What a key acts on: the marked exchanges, the oldest first, else the selected one.
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
