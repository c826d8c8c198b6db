/// What the bottom pane remembers.
struct BottomState: Hashable, Sendable {
    /// How many finished transfers stay on the board.
    static let finishedLimit = 30

    var tab = BottomTab.transfers
    /// The selected transfer.
    var transfer: CallID?
    /// Where it is on the board, for when it has gone.
    var transferPlace = 0
    /// Ordinary calls with large bodies that ended, the newest first.
    var finished: [FinishedTransfer] = []
    /// The run that is shown, by its name.
    var run: String?
    /// The selected one of the requests that wait for the network; nil where a step is selected.
    var parked: CallID?
    var log = LogView()
    var monitor = MonitorView()
}

/// An ordinary call with a large body that ended.
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
