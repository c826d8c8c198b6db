internal import WorkspaceModel

/// A row of the transfers tab.
enum TransferRow: Sendable {
    /// A download or an upload of the queue.
    case transfer(Transfer)
    /// A call with a large body, running or ended.
    case call(Call)
    /// A download that runs in a process of its own.
    case detached(DetachedDownloadProgress)

    var id: CallID {
        switch self {
        case .transfer(let transfer): transfer.id
        case .call(let call): call.id
        // Those of calls are positive.
        case .detached(let row): CallID(-row.download.id)
        }
    }

    /// The endpoint; nil for the replay of an exchange without one.
    var endpoint: EndpointID? {
        switch self {
        case .transfer(let transfer): transfer.endpoint
        case .call(let call): call.endpoint
        case .detached: nil
        }
    }

    var name: String {
        switch self {
        case .transfer(let transfer): transfer.name
        case .call(let call): call.name
        case .detached(let row): row.name
        }
    }
}

/// The state of the transfers tab; the transfers themselves are in ``AppState/calls``.
struct TransfersState: FeatureState {
    /// The selected transfer.
    var selected: CallID?
    /// The detached downloads, as of the last listing.
    var detached: [DetachedDownloadProgress] = []
    /// The time of the last request for them.
    var detachedAskedAt = 0.0
    /// Whether they were listed since the start of the program.
    var hasListedDetached = false
    /// The index of the selected transfer, for the time after it is removed.
    private var place = 0

    init() {}

    /// The index of the selected row, or the nearest index when it was removed.
    func index(in rows: [TransferRow]) -> Int {
        rows.firstIndex { $0.id == selected } ?? place.clamped(to: 0...max(0, rows.count - 1))
    }

    mutating func select(_ index: Int, in rows: [TransferRow]) {
        guard rows.indices.contains(index) else { return }
        place = index
        selected = rows[index].id
    }

    /// The first visible row.
    func top(of rows: [TransferRow], height: Int) -> Int {
        Window.limited(index(in: rows) - height * 2 / 3, count: rows.count, height: height)
    }
}

extension Operations {
    /// The rows of the transfers tab: the queue in its order, calls with large bodies, then ended ones.
    var transferRows: [TransferRow] {
        let running = inFlight.filter(\.call.isTransfer).map { TransferRow.call($0.call) }
        let ended = queue.endedCalls.compactMap { self[$0].map { TransferRow.call($0.call) } }
        return transfers.map { .transfer($0) } + running + endedTransfers.map { .transfer($0) } + ended
    }
}
