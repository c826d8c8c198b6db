internal import SortieHTTP
internal import WorkspaceModel

/// The queue of transfers: order, priority, limit, and superseded transfers.
extension Operations {
    /// The transfers that have not ended, in the order of the queue.
    var transfers: [Transfer] { queue.active.compactMap { self[$0]?.transfer } }

    /// The ended transfers, the newest first.
    var endedTransfers: [Transfer] { queue.ended.compactMap { self[$0]?.transfer } }

    /// The number of transfers that run or wait for their turn.
    var transfersUnderWay: Int { transfers.count { $0.hasPlace || $0.phase == .queued } }

    /// The transfers to be stored for the next session, in their order.
    var storedTransfers: [QueuedTransfer] { (transfers + endedTransfers.reversed()).compactMap(\.kept) }

    /// Changes a transfer that has not ended.
    mutating func changeTransfer(_ id: CallID, _ work: (inout Transfer) -> Void) {
        guard var transfer = self[id]?.transfer, !transfer.isEnded else { return }
        work(&transfer)
        change(id) { $0.transfer = transfer }
    }

    /// Makes a call a transfer at the end of the queue, or in the place of an earlier one to the same file.
    ///
    /// - Returns: The earlier transfer, if it ended because it had not been started.
    mutating func enqueue(_ id: CallID, _ order: QueuedTransfer) -> CallID? {
        change(id) { $0.transfer = Transfer(id, order) }
        return enqueue(id)
    }

    /// Adds a transfer at the end of the queue, or in the place of an earlier one to the same file.
    ///
    /// An earlier one that was not started ends here. A running one ends when the newer one starts, which therefore starts
    /// immediately.
    @discardableResult
    mutating func enqueue(_ id: CallID) -> CallID? {
        guard let transfer = self[id]?.transfer else { return nil }
        guard let earlier = transfers.first(where: { $0.order.isSame(as: transfer.order) && $0.phase != .cancelling }),
            let index = queue.active.firstIndex(of: earlier.id)
        else {
            queue.active.append(id)
            return nil
        }
        queue.active.insert(id, at: index)
        changeTransfer(id) {
            $0.order.file = earlier.order.file
            $0.progress = earlier.progress
        }
        if !earlier.hasBegun {
            end(earlier.id, .superseded)
            return earlier.id
        }
        if earlier.phase == .running {
            changeTransfer(id) { $0.phase = .running }
            changeTransfer(earlier.id) { $0.phase = .cancelling }
        }
        return nil
    }

    /// Starts the next transfers in free slots, and returns them.
    mutating func startTransfers() -> [Transfer] {
        // A running transfer that has not begun takes over the slot of the transfer that it replaces.
        var started = transfers.filter { $0.phase == .running && !$0.hasBegun }
        let free = queue.limit - transfers.count(where: \.hasPlace)
        started += turns.prefix(max(0, free))
        for transfer in started {
            changeTransfer(transfer.id) {
                $0.phase = .running
                $0.hasBegun = true
            }
        }
        return started
    }

    /// The queued transfers in the order of their start: by priority, then in the order of the queue.
    private var turns: [Transfer] {
        transfers.enumerated().filter { $1.phase == .queued }
            .sorted { ($1.element.priority.rawValue, $0.offset) < ($0.element.priority.rawValue, $1.offset) }.map(\.element)
    }

    /// The position of a queued transfer, from 1.
    func turn(of id: CallID) -> Int? { turns.firstIndex { $0.id == id }.map { $0 + 1 } }

    /// Moves a transfer up (−1) or down (1) in the queue.
    mutating func move(_ id: CallID, by distance: Int) {
        guard let index = queue.active.firstIndex(of: id), queue.active.indices.contains(index + distance) else { return }
        queue.active.swapAt(index, index + distance)
    }

    /// Ends a transfer.
    mutating func end(_ id: CallID, _ end: Transfer.End) {
        guard let transfer = self[id]?.transfer, !transfer.isEnded else { return }
        changeTransfer(id) { $0.phase = .ended(end) }
        if let dropped = queue.end(id) { evict(dropped) }
        evict(id)
    }
}
