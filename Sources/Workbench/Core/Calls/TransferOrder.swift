/// The order of the transfers tab; the transfers themselves are in ``Operations``.
struct TransferOrder: Hashable, Sendable {
    /// The maximum number of ended transfers, and of ended calls with large bodies.
    static let endedLimit = 30
    /// The limits that the user can choose.
    static let limits = [1, 2, 3, 4, 6, 8, 12, 16]

    /// The maximum number of running transfers.
    var limit = 4
    /// The transfers that have not ended, in the order of the queue.
    var active: [CallID] = []
    /// The ended transfers, the newest first.
    private(set) var ended: [CallID] = []
    /// The ended calls with large bodies, the newest first.
    private(set) var endedCalls: [CallID] = []

    /// Whether a call is a row of the transfers tab after its end.
    func showsEnded(_ id: CallID) -> Bool { ended.contains(id) || endedCalls.contains(id) }

    /// Adds an ended transfer, and returns the one beyond the limit.
    mutating func end(_ id: CallID) -> CallID? {
        active.removeAll { $0 == id }
        return Self.insert(id, in: &ended)
    }

    /// Adds an ended call with a large body, and returns the one beyond the limit.
    mutating func endCall(_ id: CallID) -> CallID? { Self.insert(id, in: &endedCalls) }

    /// Removes a row.
    mutating func remove(_ id: CallID) {
        active.removeAll { $0 == id }
        ended.removeAll { $0 == id }
        endedCalls.removeAll { $0 == id }
    }

    private static func insert(_ id: CallID, in list: inout [CallID]) -> CallID? {
        list.insert(id, at: 0)
        return list.count > endedLimit ? list.removeLast() : nil
    }
}
