internal import Model

/// A request that waits for the network, as the Runs pane lists it (S3.16).
struct ParkedView: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case waiting
        /// On its way, to be answered or to come back.
        case out
        case cancelling
        /// It was on its way when an earlier program ended: it may have arrived, and the person decides.
        case doubtful(ParkedRequest)
    }

    let id: CallID
    let target: String
    let name: String
    let method: HTTPMethod
    /// Why it could not be sent.
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

    /// Takes note of how it stands now; one that is being cancelled stays so until its end.
    mutating func note(_ notice: ParkingNotice) {
        reason = notice.reason
        if phase != .cancelling { phase = notice.isOut ? .out : .waiting }
    }

    /// How it stands, in words.
    var stateText: String {
        switch phase {
        case .waiting: "waits for the network"
        case .out: "is being sent"
        case .cancelling: "cancelling"
        case .doubtful: "may have arrived: the program ended while it was being sent. r sends it again, x forgets it"
        }
    }
}
