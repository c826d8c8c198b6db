internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// The table of calls: everything that is in progress, and the ended calls that a pane shows.
///
/// Panes are views of the table. It has no side effects: its caller performs what a change requires, such as starting the
/// transfers that ``startTransfers()`` returns.
///
/// An ended operation stays while it is the latest call of its endpoint, a row of the transfers tab, or ``shown``.
struct Operations: Sendable {
    private var table: [CallID: Operation] = [:]
    /// The latest call of each endpoint, running or ended.
    private(set) var latest: [EndpointID: CallID] = [:]
    /// The order of the transfers.
    var queue = TransferOrder()
    /// The replay of several exchanges that is under way.
    private(set) var batch: ReplayBatch?
    /// The call that the response pane shows instead of the latest call of an endpoint.
    private(set) var shown: CallID?
    private var lastNumber = 0

    var isEmpty: Bool { table.isEmpty }

    /// The operation with this ID.
    subscript(id: CallID) -> Operation? { table[id] }

    /// The call that the response pane shows for a key.
    subscript(key: CallKey) -> Call? {
        get { self.id(of: key).flatMap { table[$0]?.call } }
        set {
            guard let id = self.id(of: key), let newValue else { return }
            change(id) { $0.call = newValue }
        }
    }

    /// The latest call of an endpoint.
    subscript(endpoint: EndpointID) -> Call? { self[.endpoint(endpoint)] }

    /// The call of a key while it is being sent.
    func sending(_ key: CallKey) -> Call? { self[key].flatMap { $0.isSending && self[$0.id]?.transfer == nil ? $0 : nil } }

    private func id(of key: CallKey) -> CallID? {
        switch key {
        case .endpoint(let endpoint): latest[endpoint]
        case .call(let id): id
        }
    }

    /// Whether a call is the latest one of its endpoint.
    func isLatest(_ id: CallID) -> Bool { table[id]?.endpoint.map { latest[$0] == id } ?? false }

    /// Whether the response pane can show a call.
    func isViewable(_ id: CallID) -> Bool { isLatest(id) || shown == id || table[id].map { $0.endpoint == nil } ?? false }

    /// The key under which the response pane shows a call.
    func key(of id: CallID) -> CallKey {
        guard let endpoint = table[id]?.endpoint, latest[endpoint] == id else { return .call(id) }
        return .endpoint(endpoint)
    }

    /// Changes an operation.
    mutating func change(_ id: CallID, _ work: (inout Operation) -> Void) {
        guard let index = table.index(forKey: id) else { return }
        work(&table.values[index])
    }

    /// Records that a registered replay or transfer was sent; false when it was sent before.
    mutating func start(_ id: CallID) -> Bool {
        guard table[id]?.hasStarted == false else { return false }
        change(id) { $0.hasStarted = true }
        return true
    }

    /// Updates times and rates of everything in progress.
    mutating func tick(_ now: Double) {
        for index in table.values.indices where !table.values[index].isEnded { table.values[index].tick(now) }
        batch?.tick(now)
    }

    // MARK: Views

    /// Whether something is in progress that changes with time.
    var wantsTicks: Bool { batch != nil || table.values.contains { $0.isPlainInFlight || $0.transfer != nil && $0.call.machine.hasPlace } }

    /// The calls in flight in the order of their start, without transfers and without requests that wait for the network.
    var inFlight: [Operation] { table.values.filter(\.isPlainInFlight).sorted { $0.id.number < $1.id.number } }

    /// The number of calls in flight, without transfers and without requests that wait for the network.
    var inFlightCount: Int { table.values.count(where: \.isPlainInFlight) }

    /// The requests that wait for the network, in their order.
    var parked: [Operation] {
        table.values.filter { $0.parking != nil }.sorted { ($0.parking?.number ?? 0) < ($1.parking?.number ?? 0) }
    }

    // MARK: Registration

    /// Registers a call of an endpoint as its latest call.
    ///
    /// - Parameter item: The stored exchange that the call sends again.
    mutating func begin(_ endpoint: Endpoint, replaying item: HistoryItem? = nil) -> CallID {
        let id = register { Operation($0, endpoint, replaying: item) }
        makeLatest(id)
        return id
    }

    /// Makes a call the latest one of its endpoint.
    mutating func makeLatest(_ id: CallID) {
        guard let endpoint = table[id]?.endpoint, let earlier = latest.updateValue(id, forKey: endpoint), earlier != id else { return }
        replaced(earlier)
    }

    /// Registers a replay of an exchange that belongs to no endpoint of the workspace.
    mutating func begin(replaying item: HistoryItem) -> CallID { register { Operation($0, item) } }

    /// Registers the replays of several exchanges, each of which begins with its first event.
    mutating func beginBatch(_ items: [HistoryItem]) -> [CallID] {
        batch = ReplayBatch(count: items.count)
        return items.map { item in register { Operation(inBatch: $0, item) } }
    }

    /// Registers a transfer of an earlier session, which waits for the user.
    mutating func takeUp(_ queuedTransfer: QueuedTransfer) {
        let id = register { Operation(unfinished: $0, queuedTransfer) }
        enqueue(id)
    }

    /// Registers a request that an earlier session left waiting for the network as the latest call of its endpoint, which then shows it and its response.
    ///
    /// One that was being sent waits for the user, and is not the latest call before it is sent again.
    mutating func takeUp(_ request: ParkedRequest) -> CallID {
        let id = register { Operation($0, request.endpoint) }
        if !request.isOut { makeLatest(id) }
        park(id, request.reason, request.isOut ? .doubtful(request) : .waiting)
        return id
    }

    /// Registers an ended call as the latest one of an endpoint, as that of a step.
    mutating func record(_ exchange: Exchange, of endpoint: Endpoint) -> CallID {
        let id = begin(endpoint)
        change(id) { $0.call.finish(exchange) }
        return id
    }

    /// Registers a stored exchange, which the response pane shows.
    mutating func show(_ item: HistoryItem, _ exchange: Exchange) -> CallID {
        let id = register { Operation($0, item) }
        change(id) { $0.call.finish(exchange) }
        show(id)
        return id
    }

    private mutating func register(_ make: (CallID) -> Operation) -> CallID {
        lastNumber += 1
        let operation = make(CallID(lastNumber))
        table[operation.id] = operation
        return operation.id
    }

    /// Removes a call whose endpoint is sent again, unless it is a transfer or waits for the network.
    private mutating func replaced(_ id: CallID) {
        guard let operation = table[id] else { return }
        if operation.isPlainInFlight { table[id] = nil } else { evict(id) }
    }

    /// Gives the calls of an endpoint its new name.
    mutating func move(_ old: EndpointID, to new: EndpointID) {
        for id in table.keys where table[id]?.endpoint == old { change(id) { $0.move(to: new) } }
        if let call = latest.removeValue(forKey: old) { latest[new] = call }
    }

    // MARK: Removal

    /// Shows a call in the response pane; nil for the latest call of the open endpoint.
    mutating func show(_ id: CallID?) {
        let earlier = shown
        shown = id
        if let earlier, earlier != id { evict(earlier) }
    }

    /// Removes an ended operation that no pane shows, and the body of one that is only a row of the transfers tab.
    mutating func evict(_ id: CallID) {
        guard let operation = table[id], operation.isEnded, !isLatest(id), shown != id else { return }
        if queue.showsEnded(id) { change(id) { $0.discardBody() } } else { table[id] = nil }
    }

    /// Removes an operation that is not in progress; a call that a pane shows stays without its row on the transfers tab.
    mutating func remove(_ id: CallID) {
        queue.remove(id)
        if isLatest(id) || shown == id { change(id) { $0.transfer = nil } } else { table[id] = nil }
    }

    /// Removes a call that was not sent from the calls of its endpoint.
    mutating func withdraw(_ id: CallID) {
        guard let endpoint = table[id]?.endpoint, latest[endpoint] == id else { return }
        latest[endpoint] = nil
        evict(id)
    }

    // MARK: Parking

    /// Whether a call waits for the network, or is being sent after it waited.
    func isParked(_ id: CallID) -> Bool { table[id]?.parking != nil }

    /// Whether a call currently waits for the network.
    func isWaiting(_ id: CallID) -> Bool { table[id]?.parking?.phase == .waiting }

    /// Records that a call waits for the network, or is being sent again.
    mutating func park(_ id: CallID, _ notice: ParkingNotice) {
        if isParked(id) {
            change(id) { $0.parking?.note(notice) }
        } else if !notice.isOut {
            park(id, notice.reason, .waiting)
        }
    }

    private mutating func park(_ id: CallID, _ reason: String, _ phase: Parking.Phase) {
        lastNumber += 1
        let number = lastNumber
        change(id) { $0.parking = Parking(number: number, reason: reason, phase: phase) }
    }

    // MARK: Cancelling

    /// Marks a call as being cancelled; false when it is not in flight, or already marked.
    mutating func cancel(_ id: CallID, keepsPart: Bool = true) -> Bool {
        guard follow(.cancel(keepsPart: keepsPart), id) else { return false }
        change(id) { $0.parking?.phase = .cancelling }
        return true
    }

    /// Gives a call a command; false where it has no effect.
    mutating func follow(_ command: TransferCommand, _ id: CallID) -> Bool {
        var isFollowed = false
        change(id) { isFollowed = $0.call.follow(command) }
        return isFollowed
    }

    /// Marks a request that waits for the network as being cancelled.
    mutating func cancelParked(_ id: CallID) {
        change(id) { $0.parking?.phase = .cancelling }
        _ = follow(.cancel(keepsPart: true), id)
    }

    /// Marks the replay of several exchanges as being cancelled, and returns the calls that have not ended.
    mutating func cancelBatch() -> [CallID] {
        batch?.isCancelling = true
        return table.values.filter { $0.isInBatch && !$0.isEnded }.map(\.id).sorted { $0.number < $1.number }
    }

    // MARK: Batch

    /// Counts the end of a replay.
    mutating func endReplay(_ id: CallID, with exchange: Exchange?) {
        guard let operation = table[id], operation.isInBatch, let item = operation.replayed else { return }
        batch?.end(item, with: exchange)
    }

    /// Ends the replay of several exchanges when all have ended, and returns its counts; nil while it is under way.
    mutating func endBatch() -> ReplayBatch? {
        guard let batch, batch.ended == batch.count else { return nil }
        self.batch = nil
        return batch
    }
}

/// Changes of operations by the events of their calls.
extension Operations {
    /// Whether events of a call change it; events of a replaced or ended call are dropped.
    func accepts(_ id: CallID) -> Bool { self[id].map { !$0.isEnded } ?? false }

    /// Applies an event of a call.
    mutating func receive(_ event: CallEvent, of id: CallID) {
        guard accepts(id) else { return }
        if case .parked(let notice) = event { park(id, notice) }
        change(id) {
            $0.call.receive(event)
            if $0.transfer?.isUpload == true { $0.transfer?.receive(event) }
        }
        guard case .finished(let exchange) = event else { return }
        change(id) { $0.parking = nil }
        endReplay(id, with: exchange)
        ended(id)
    }

    /// Applies an event of a download.
    mutating func receive(_ event: DownloadEvent, of id: CallID) {
        guard accepts(id) else { return }
        change(id) {
            $0.call.receive(event)
            $0.transfer?.receive(event)
        }
        if case .finished = event { ended(id) }
    }

    /// Ends a call that was not sent, because a template or a file is invalid.
    ///
    /// A request that waits for the network stays on the disk and in the table.
    mutating func failToStart(_ id: CallID, _ problem: Diagnostic) {
        guard accepts(id) else { return }
        change(id) {
            $0.parking?.reason = "not sent: \(problem.messageWithLocation)"
            if $0.call.isInFlight { $0.call.fail(problem) }
        }
        endReplay(id, with: nil)
        ended(id)
    }

    /// Moves an ended transfer or call with a large body to the ended rows of the transfers tab, and removes what no pane shows.
    private mutating func ended(_ id: CallID) {
        guard let operation = self[id], operation.isEnded else { return }
        if operation.transfer != nil {
            if let dropped = queue.end(id) { evict(dropped) }
        } else if isViewable(id), operation.call.exchange != nil, operation.call.isTransfer, let dropped = queue.endCall(id) {
            evict(dropped)
        }
        evict(id)
    }
}

/// The queue of transfers: order, priority, limit, and superseded transfers.
extension Operations {
    /// The transfers that have not ended, in the order of the queue.
    var transfers: [QueuedCall] { queue.active.compactMap { QueuedCall(self[$0]) } }

    /// The ended transfers, the newest first.
    var endedTransfers: [QueuedCall] { queue.ended.compactMap { QueuedCall(self[$0]) } }

    /// The number of transfers that run or wait for their turn.
    var transfersUnderWay: Int { transfers.count { $0.hasPlace || $0.command == .wait } }

    /// The transfers to be stored for the next session, in their order.
    var storedTransfers: [QueuedTransfer] { (transfers + endedTransfers.reversed()).compactMap(\.stored) }

    /// Makes a call a transfer at the end of the queue, or in the place of an earlier one to the same file.
    ///
    /// - Returns: The earlier transfer, if it ended because it had not been started.
    mutating func enqueue(_ id: CallID, _ queuedTransfer: QueuedTransfer) -> CallID? {
        change(id) {
            $0.transfer = Transfer(queuedTransfer)
            $0.call.queue()
        }
        return enqueue(id)
    }

    /// Adds a transfer at the end of the queue, or in the place of an earlier one to the same file.
    ///
    /// An earlier one that was not started ends here. A running one ends when the newer one starts, which therefore starts
    /// immediately.
    @discardableResult
    mutating func enqueue(_ id: CallID) -> CallID? {
        guard let transfer = self[id]?.transfer else { return nil }
        guard let earlier = transfers.first(where: { $0.transfer.order.isSame(as: transfer.order) && !$0.isCancelling }),
            let index = queue.active.firstIndex(of: earlier.id)
        else {
            queue.active.append(id)
            return nil
        }
        queue.active.insert(id, at: index)
        change(id) { $0.transfer?.continues(earlier.transfer) }
        if earlier.state == .idle {
            end(earlier.id, .superseded)
            return earlier.id
        }
        if earlier.command == .run { _ = follow(.supersede, earlier.id) }
        return nil
    }

    /// Starts the next transfers in free slots, and returns them as they were before.
    mutating func startTransfers() -> [QueuedCall] {
        let all = transfers
        // A transfer that supersedes a running one takes over its slot.
        let superseded = all.filter { $0.command == .supersede }
        let successors = all.filter { new in
            new.command == .wait && superseded.contains { $0.transfer.order.isSame(as: new.transfer.order) }
        }
        let free = queue.limit - all.count(where: \.hasPlace) - successors.count
        let next = turns.filter { turn in !successors.contains { $0.id == turn.id } }.prefix(max(0, free))
        let started = successors + next
        for transfer in started { change(transfer.id) { $0.call.start() } }
        return started
    }

    /// The queued transfers in the order of their start: by priority, then in the order of the queue.
    private var turns: [QueuedCall] {
        func priority(of transfer: QueuedCall) -> Int { transfer.transfer.order.endpoint.priority.rawValue }
        return transfers.enumerated().filter { $1.command == .wait }
            .sorted { (priority(of: $1.element), $0.offset) < (priority(of: $0.element), $1.offset) }.map(\.element)
    }

    /// The position of a queued transfer, from 1.
    func turn(of id: CallID) -> Int? { turns.firstIndex { $0.id == id }.map { $0 + 1 } }

    /// Moves a transfer up (−1) or down (1) in the queue.
    mutating func move(_ id: CallID, by distance: Int) {
        guard let index = queue.active.firstIndex(of: id), queue.active.indices.contains(index + distance) else { return }
        queue.active.swapAt(index, index + distance)
    }

    /// Ends a transfer.
    mutating func end(_ id: CallID, _ end: TransferState) {
        guard self[id]?.transfer != nil, accepts(id) else { return }
        change(id) { $0.call.enter(end) }
        ended(id)
    }
}
