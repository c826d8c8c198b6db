internal import SortieHTTP
internal import WorkspaceModel

/// The state of a parked request, which waits for the network.
struct Parking: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        /// The request is being sent.
        case out
        case cancelling
        /// The request was being sent when an earlier session ended. It may have arrived, so the user decides.
        case doubtful(ParkedRequest)
    }

    /// Orders parked requests by the time at which they were parked.
    let number: Int
    /// The reason why it could not be sent.
    var reason: String
    var phase = Phase.waiting

    /// Updates the state; a request that is being cancelled stays so until its end.
    mutating func note(_ notice: ParkingNotice) {
        reason = notice.reason
        if phase != .cancelling { phase = notice.isOut ? .out : .waiting }
    }

    /// The state as text, with the keys of the commands that apply.
    func stateText(_ state: AppState) -> String {
        switch phase {
        case .waiting: "waits for the network"
        case .out: "is being sent"
        case .cancelling: "cancelling"
        case .doubtful:
            "may have arrived: the program ended while it was being sent. \(state.key(.resumeRun)) sends it again, \(state.key(.cancelRun)) removes it"
        }
    }
}
