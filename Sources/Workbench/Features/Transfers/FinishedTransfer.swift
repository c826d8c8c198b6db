/// The state of the bottom pane.
struct BottomState: Hashable, Sendable {
    /// The maximum number of ended calls on the transfers tab.
    static let finishedLimit = 30

    var tab = BottomTab.transfers
    /// The selected transfer.
    var transfer: CallID?
    /// The index of the selected transfer, for the time after it is removed.
    var transferPlace = 0
    /// Ended calls with large bodies, the newest first.
    var finished: [FinishedTransfer] = []
    /// The name of the shown run.
    var run: String?
    /// The selected request that waits for the network; nil when a step is selected.
    var parked: CallID?
    var log = LogView()
    var monitor = MonitorView()
}

/// An ended call with a large body.
struct FinishedTransfer: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case done, cancelled
        case failed(String)
    }

    var id: CallID
    var target: String
    var name: String
    var isUpload: Bool
    var bytes: Int64
    var seconds: Double
    var outcome: Outcome
}
