/// The state of the transfers tab.
struct TransfersState: FeatureState {
    /// The maximum number of ended calls.
    static let finishedLimit = 30

    /// The selected transfer.
    var selected: CallID?
    /// The index of the selected transfer, for the time after it is removed.
    var place = 0
    /// Ended calls with large bodies, the newest first.
    var finished: [FinishedTransfer] = []
}

extension AppState {
    /// The state of the transfers tab; the transfers themselves are in ``transfers``.
    var transfersTab: TransfersState {
        get { states[TransfersState.self] }
        _modify { yield &states[TransfersState.self] }
    }
}
