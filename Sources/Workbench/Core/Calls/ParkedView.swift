internal import SortieHTTP
internal import WorkspaceModel

/// A parked request on the runs tab: it waits for the network (S3.16).
struct ParkedView: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        /// The request is being sent.
        case out
        case cancelling
        /// The request was being sent when an earlier session ended. It may have arrived, so the user decides.
        case doubtful(ParkedRequest)
    }

    let id: CallID
    let target: String
    let name: String
    let method: HTTPMethod
    /// The reason why it could not be sent.
    var reason: String
    var phase: Phase

    init(_ id: CallID, _ endpoint: Endpoint, reason: String, phase: Phase) {
        self.id = id
        target = endpoint.target
        name = endpoint.name
        method = endpoint.method
        self.reason = reason
        self.phase = phase
    }

    init(_ call: Call, reason: String) {
        id = call.id
        target = call.target
        name = call.name
        method = call.method
        self.reason = reason
        phase = .waiting
    }

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
            "may have arrived: the program ended while it was being sent. \(state.key(.restartRun)) sends it again, \(state.key(.cancelRun)) removes it"
        }
    }
}
