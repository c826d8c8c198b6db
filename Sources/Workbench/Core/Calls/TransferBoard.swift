internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The queue of transfers, and the ended ones.
///
/// It has no side effects: the caller starts the transfers that ``startNext()`` returns.
struct TransferBoard: Sendable {
    /// The maximum number of ended transfers.
    static let endedLimit = 30
    /// The limits that the user can choose.
    static let limits = [1, 2, 3, 4, 6, 8, 12, 16]

    /// The maximum number of running transfers.
    var limit = 4
    /// The transfers that have not ended, in the order of the queue.
    private(set) var active: [Transfer] = []
    /// The ended transfers, the newest first.
    private(set) var ended: [Transfer] = []

    /// The transfer with this ID.
    subscript(_ id: CallID) -> Transfer? {
        active.first { $0.id == id } ?? ended.first { $0.id == id }
    }

    /// Whether a transfer is running.
    var isRunning: Bool { active.contains(where: \.hasPlace) }

    /// The number of transfers that run or wait for their turn.
    var underWay: Int { active.count { $0.hasPlace || $0.phase == .queued } }

    /// The transfers to be stored for the next session, in their order.
    var kept: [QueuedTransfer] { (active + ended.reversed()).compactMap(\.kept) }

    /// Changes a transfer that has not ended.
    mutating func change(_ id: CallID, _ work: (inout Transfer) -> Void) {
        guard let index = active.firstIndex(where: { $0.id == id }) else { return }
        work(&active[index])
    }

    /// Changes all transfers that have not ended.
    mutating func changeAll(_ work: (inout Transfer) -> Void) {
        for index in active.indices { work(&active[index]) }
    }

    /// Adds a transfer at the end of the queue, or in the place of an earlier one to the same file (S2.35).
    ///
    /// An earlier one that was not started ends here. A running one ends when the newer one starts, which therefore starts
    /// immediately.
    mutating func add(_ transfer: Transfer) {
        var transfer = transfer
        guard let index = active.firstIndex(where: { $0.order.isSame(as: transfer.order) && $0.phase != .cancelling }) else {
            active.append(transfer)
            return
        }
        let earlier = active[index]
        transfer.order.file = earlier.order.file
        transfer.progress = earlier.progress
        active.insert(transfer, at: index)
        if !earlier.hasBegun {
            end(earlier.id, .superseded)
        } else if earlier.phase == .running {
            active[index].phase = .running
            active[index + 1].phase = .cancelling
        }
    }

    /// Starts the next transfers in free slots, and returns them.
    mutating func startNext() -> [Transfer] {
        var started: [Transfer] = []
        for index in active.indices where active[index].phase == .running && !active[index].hasBegun {
            // It takes over the slot of the transfer that it replaces.
            started.append(active[index])
            active[index].hasBegun = true
        }
        var free = limit - active.count(where: \.hasPlace)
        for id in turns where free > 0 {
            guard let index = active.firstIndex(where: { $0.id == id }) else { continue }
            active[index].phase = .running
            started.append(active[index])
            active[index].hasBegun = true
            free -= 1
        }
        return started
    }

    /// The queued transfers in the order of their start: by priority, then in the order of the board.
    private var turns: [CallID] {
        active.enumerated().filter { $1.phase == .queued }
            .sorted { ($1.element.priority.rawValue, $0.offset) < ($0.element.priority.rawValue, $1.offset) }.map(\.element.id)
    }

    /// The position of a queued transfer, from 1.
    func turn(of id: CallID) -> Int? { turns.firstIndex(of: id).map { $0 + 1 } }

    /// Moves a transfer up (−1) or down (1) in the queue.
    mutating func move(_ id: CallID, by distance: Int) {
        guard let index = active.firstIndex(where: { $0.id == id }), active.indices.contains(index + distance) else { return }
        active.swapAt(index, index + distance)
    }

    /// Ends a transfer.
    mutating func end(_ id: CallID, _ end: Transfer.End) {
        guard let index = active.firstIndex(where: { $0.id == id }) else { return }
        var transfer = active.remove(at: index)
        transfer.phase = .ended(end)
        ended.insert(transfer, at: 0)
        if ended.count > TransferBoard.endedLimit { ended.removeLast() }
    }

    /// Removes a transfer.
    mutating func remove(_ id: CallID) {
        active.removeAll { $0.id == id }
        ended.removeAll { $0.id == id }
    }
}
