internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// An entry of ``Operations``: a call with everything that is known about it.
struct Operation: Sendable {
    var call: Call
    /// The endpoint of the workspace; nil for a replay or a stored exchange.
    private(set) var endpoint: EndpointID?
    /// The stored exchange that the call sends again; nil for a call of an endpoint.
    let replayed: HistoryItem?
    /// Whether the call was sent; false for a transfer of an earlier session and for a replay that waits for its turn.
    var hasStarted = true
    /// Whether it belongs to the replay of several exchanges.
    private(set) var isInBatch = false
    /// Its part in the queue of transfers; nil for a call that is not queued.
    var transfer: Transfer?
    /// Its waiting for the network; nil for a call that does not wait.
    var parking: Parking?
    /// The number of its item in the log; nil when it has none, or when the item is complete.
    var logItem: Int?

    /// A call of an endpoint.
    ///
    /// - Parameter item: The stored exchange that the call sends again.
    init(_ id: CallID, _ endpoint: Endpoint, replaying item: HistoryItem? = nil) {
        call = Call(id, endpoint)
        self.endpoint = endpoint.id
        replayed = item
    }

    /// A replay or a stored exchange, with no endpoint of the workspace.
    init(_ id: CallID, _ item: HistoryItem) {
        call = Call(id, item)
        endpoint = nil
        replayed = item
    }

    /// A transfer of an earlier session, which waits for the user.
    init(unfinished id: CallID, _ queuedTransfer: QueuedTransfer) {
        self.init(id, queuedTransfer.endpoint)
        transfer = Transfer(queuedTransfer, isUnfinished: true)
        call.queue(isUnfinished: true)
        hasStarted = false
    }

    /// A replay of a batch, which waits for its turn.
    init(inBatch id: CallID, _ item: HistoryItem) {
        self.init(id, item)
        isInBatch = true
        hasStarted = false
    }

    /// The endpoint has another name now.
    mutating func move(to endpoint: EndpointID) {
        self.endpoint = endpoint
        call.endpoint = endpoint
    }

    var id: CallID { call.id }

    /// Whether the call is in flight as such: neither a transfer nor a request that waits for the network.
    var isPlainInFlight: Bool { hasStarted && call.isInFlight && transfer == nil && parking == nil }

    /// Whether nothing happens to it any more.
    var isEnded: Bool { !call.isInFlight && (transfer != nil || parking == nil) }

    /// Updates times and rates.
    mutating func tick(_ now: Double) {
        transfer?.tick(now, isRunning: call.machine.hasPlace)
        if hasStarted, call.isInFlight, transfer == nil || call.machine.hasPlace { call.tick(now) }
    }

    /// Discards the body and what else is only needed by the response pane.
    mutating func discardBody() {
        call.body = nil
        call.response = nil
        // The details of a transfer have them.
        if transfer == nil { call.decisions = [] }
        if var exchange = call.exchange {
            exchange.response?.body = BodyBytes([])
            call.outcome = .finished(exchange)
        }
    }
}
