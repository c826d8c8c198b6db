internal import HistoryModel

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
    case transfer(QueuedCall)
    /// A request that waits for the network.
    case parked(Operation)
    case run(RunView)
    /// A replay of several exchanges.
    case batch(ReplayBatch)

    var id: ID {
        switch self {
        case .call(let call): .call(call.id)
        case .transfer(let queued): .call(queued.id)
        case .parked(let operation): .call(operation.id)
        case .run(let run): .run(run.name)
        case .batch: .batch
        }
    }

    /// The running rows in the order of their start, so that a new one does not move the others.
    static func all(_ state: AppState) -> [RunningRow] {
        var rows: [RunningRow] = []
        if let batch = state.calls.batch { rows.append(.batch(batch)) }
        rows += state.calls.inFlight.map { .call($0.call) }
        rows += state.calls.transfers.filter { !$0.transfer.isUnfinished }.map { .transfer($0) }
        rows += state.runs.values.compactMap(\.running).sorted { ($0.id?.number ?? 0) < ($1.id?.number ?? 0) }.map { .run($0) }
        rows += state.calls.parked.map { .parked($0) }
        return rows
    }
}

/// A row of the history tab.
enum HistoryRow: Sendable {
    case running(RunningRow)
    case ended(HistoryItem)
}

/// The loaded rows of the history tab: the running ones, then the ended ones, the newest first.
struct HistoryRows: Sendable {
    let running: [RunningRow]
    let ended: [HistoryItem]

    var count: Int { running.count + ended.count }
    var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> HistoryRow { index < running.count ? .running(running[index]) : .ended(ended[index - running.count]) }
}
