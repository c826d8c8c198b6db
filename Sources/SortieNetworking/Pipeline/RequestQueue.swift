internal import DequeModule
internal import SortieHTTP
internal import Synchronization

/// The requests of one service: limits how many are in flight and how many connections they use, and orders those that wait.
///
/// Requests that a user waits for have precedence: background calls may use a quarter of the places; transfers, resources and background calls together
/// all but a quarter, and a free place goes to a refresh first. With a single place only the order applies. The same holds for
/// connections, which count only for requests that cannot share one.
final class RequestQueue: Sendable {
    /// What a request takes of the queue.
    struct Demand: Hashable, Sendable {
        /// The kind of traffic; a transfer is at most a resource, because it takes long.
        var traffic: Traffic
        var priority: RequestOptions.Priority
        /// Whether it needs a separate connection, of a limited number.
        var needsConnection: Bool
    }

    /// The places for requests or for connections.
    fileprivate struct Places {
        let limit: Int
        private(set) var taken = 0
        /// The number of places taken by transfers, resources and background calls.
        private(set) var lesser = 0
        /// The number of places taken by background calls.
        private(set) var background = 0
        /// Whether only downloads or only resources use the places, so that none are kept for other requests.
        private let isSeparate: Bool

        init(limit: Int, isSeparate: Bool) {
            self.limit = max(1, limit)
            self.isSeparate = isSeparate
        }

        /// The maximum for transfers, resources and background calls.
        var lesserLimit: Int { isSeparate ? limit : max(1, limit - max(1, limit / 4)) }
        /// The maximum for background calls.
        var backgroundLimit: Int { max(1, limit / 4) }

        func isFree(for traffic: Traffic) -> Bool {
            guard taken < limit else { return false }
            return switch traffic {
            case .refresh: true
            case .resource: lesser < lesserLimit
            case .background: background < backgroundLimit && lesser < lesserLimit
            }
        }

        mutating func take(_ traffic: Traffic) { change(traffic, by: 1) }

        mutating func giveBack(_ traffic: Traffic) { change(traffic, by: -1) }

        private mutating func change(_ traffic: Traffic, by count: Int) {
            taken += count
            if traffic != .refresh { lesser += count }
            if traffic == .background { background += count }
        }
    }

    fileprivate struct Waiter {
        let call: RequestID
        /// The position in the order of arrival.
        let ticket: UInt64
        let demand: Demand
        /// Whether the call is suspended and keeps its position.
        let isHeld: @Sendable () -> Bool
        let admit: @Sendable () -> Void
    }

    fileprivate struct State {
        var requests: Places
        /// Nil where connections are not limited.
        var connections: Places?
        /// The waiting calls: for each class of traffic and priority two queues, for those without and with a separate connection.
        ///
        /// Each is in the order of arrival; later queues have precedence.
        var waiting: [Deque<Waiter>] = Array(repeating: [], count: 18)
        /// The number of waiting calls in all queues.
        var waitingCount = 0
        var lastTicket: UInt64 = 0
        /// The origins that used HTTP/1.1 for the last response, so that each request to them needs a connection.
        var unshared: Set<String> = []

        func isFree(for demand: Demand) -> Bool {
            requests.isFree(for: demand.traffic) && (!demand.needsConnection || connections?.isFree(for: demand.traffic) ?? true)
        }

        mutating func take(_ demand: Demand) {
            requests.take(demand.traffic)
            if demand.needsConnection { connections?.take(demand.traffic) }
        }

        mutating func giveBackRequest(_ demand: Demand) { requests.giveBack(demand.traffic) }

        mutating func giveBackConnection(_ demand: Demand) {
            if demand.needsConnection { connections?.giveBack(demand.traffic) }
        }
    }

    /// The connections of the service, where their number is limited.
    let pool: ConnectionPool?
    /// The retries that the service allows.
    let retryBudget = RetryBudget()
    /// The owner of the places, in messages.
    private let owner: String
    private let state: Mutex<State>

    /// The default limit of requests in flight.
    static let defaultLimit = 64
    /// The maximum number of origins whose HTTP version is stored.
    private static let mostOrigins = 256

    /// - Parameters:
    ///   - limit: The maximum number of requests in flight.
    ///   - connections: The maximum number of open connections; nil for no limit.
    ///   - isSeparate: Whether only downloads or only resources use the queue, so that they may take all places.
    ///   - owner: The owner of the places, in messages.
    init(limit: Int, connections: Int? = nil, isSeparate: Bool = false, owner: String = "the service") {
        self.owner = owner
        pool = connections.map { ConnectionPool(limit: $0) }
        state = Mutex(
            State(
                requests: Places(limit: limit, isSeparate: isSeparate),
                connections: connections.map { Places(limit: $0, isSeparate: isSeparate) }))
    }

    // MARK: Demands

    /// The demand of a request.
    ///
    /// Requests can share an HTTP/2 connection, so libcurl limits those that may use one. Before the first response it is unknown whether a server
    /// supports HTTP/2.
    func demand(of request: Request, isTransfer: Bool) -> Demand {
        let (chosen, priority) = (request.options.traffic, request.options.priority)
        let traffic = isTransfer && chosen == .refresh ? Traffic.resource : chosen
        guard pool != nil else { return Demand(traffic: traffic, priority: priority, needsConnection: false) }
        let mayShare =
            switch request.options.version {
            case .http1: false
            case .http2: true
            case .automatic: request.url.scheme == .https && !request.isLargeUpload && !isUnshared(request.url.origin)
            }
        return Demand(traffic: traffic, priority: priority, needsConnection: !mayShare)
    }

    private func isUnshared(_ origin: String) -> Bool { state.withLock { $0.unshared.contains(origin) } }

    /// Stores the HTTP version that a server used.
    func note(version: String, of url: HTTPURL) {
        guard pool != nil, url.scheme == .https else { return }
        state.withLock { state in
            if state.unshared.count >= Self.mostOrigins { state.unshared.removeAll() }
            if version.hasPrefix("1") { state.unshared.insert(url.origin) } else { state.unshared.remove(url.origin) }
        }
    }

    // MARK: Admission

    /// Admits a request where a place is free; it then counts as in flight.
    ///
    /// - Parameters:
    ///   - ticket: The position of the call in the order of arrival; nil gives it the last one.
    ///   - isHeld: Whether the call is suspended, and therefore not admitted.
    func tryAdmit(_ demand: Demand, ticket: inout UInt64?, isHeld: Bool = false) -> Bool {
        state.withLock { state in
            if ticket == nil {
                state.lastTicket += 1
                ticket = state.lastTicket
            }
            guard !isHeld, state.isFree(for: demand) else { return false }
            state.take(demand)
            return true
        }
    }

    /// The reason why calls with a demand wait, as text.
    func situation(for demand: Demand) -> String {
        state.withLock { state in
            let waiting = state.waitingCount
            if let text = situation(of: state.requests, for: demand.traffic, "requests", "are in flight") { return "\(text); \(waiting) wait" }
            if demand.needsConnection, let connections = state.connections,
                let text = situation(of: connections, for: demand.traffic, "connections", "are in use")
            {
                return "\(text); \(waiting) wait"
            }
            return "\(waiting) wait"
        }
    }

    /// Why no place is free; nil when one is.
    private func situation(of places: Places, for traffic: Traffic, _ what: String, _ state: String) -> String? {
        guard !places.isFree(for: traffic) else { return nil }
        if places.taken >= places.limit { return "\(places.taken) of \(places.limit) \(what) of \(owner) \(state)" }
        let (calls, most) =
            traffic == .background && places.background >= places.backgroundLimit
            ? ("background calls", places.backgroundLimit) : ("transfers, resources and background calls together", places.lesserLimit)
        return "\(calls) may use \(most) of the \(places.limit) \(what) of \(owner), all in use; the rest is for requests"
    }

    /// Calls `admit` when a place is free for `call`: refresh before resource before background, in each the higher priorities first, and in the order of
    /// arrival among equals.
    ///
    /// - Parameters:
    ///   - ticket: The position in the order of arrival, from ``tryAdmit(_:ticket:isHeld:)``.
    ///   - isHeld: Whether the call is suspended; ``revisit()`` is called when it continues.
    func wait(
        _ call: RequestID, _ demand: Demand, ticket: UInt64, isHeld: @escaping @Sendable () -> Bool = { false }, admit: @escaping @Sendable () -> Void
    ) {
        let mayGo = state.withLock { state in
            // A place may have become free since the caller checked.
            guard !isHeld(), state.isFree(for: demand) else {
                let waiter = Waiter(call: call, ticket: ticket, demand: demand, isHeld: isHeld, admit: admit)
                state.waiting[demand.queue].insert(waiter, at: state.position(of: ticket, in: demand.queue))
                state.waitingCount += 1
                return false
            }
            state.take(demand)
            return true
        }
        if mayGo { admit() }
    }

    /// Removes a waiting call, or releases the place that it received at the same time.
    func leave(_ call: RequestID, _ demand: Demand) {
        let wasWaiting = state.withLock { state in
            guard let place = state.waiting[demand.queue].firstIndex(where: { $0.call == call }) else { return false }
            state.waiting[demand.queue].remove(at: place)
            state.waitingCount -= 1
            return true
        }
        if !wasWaiting { release(demand) }
    }

    /// Releases the place of a request and admits the next one.
    func release(_ demand: Demand) {
        admitNext {
            $0.giveBackRequest(demand)
            $0.giveBackConnection(demand)
        }
    }

    /// Releases the place of a request that keeps its connection.
    func releaseRequest(_ demand: Demand) {
        admitNext { $0.giveBackRequest(demand) }
    }

    /// Releases the connection of a request after ``releaseRequest(_:)``.
    func releaseConnection(_ demand: Demand) {
        admitNext { $0.giveBackConnection(demand) }
    }

    /// Admits a waiting call for which a place is free.
    func revisit() {
        admitNext { _ in }
    }

    private func admitNext(_ change: (inout State) -> Void) {
        let next = state.withLock { state -> Waiter? in
            change(&state)
            guard state.waitingCount > 0 else { return nil }
            for pair in stride(from: state.waiting.count - 2, through: 0, by: -2) {
                if let next = state.takeNext(of: pair) { return next }
            }
            return nil
        }
        // Called outside the lock, because it runs code of the caller.
        next?.admit()
    }
}

extension RequestQueue.State {
    /// The index of a call in a queue; a call that had a place before comes before those that arrived later.
    fileprivate func position(of ticket: UInt64, in queue: Int) -> Int {
        var (low, high) = (0, waiting[queue].count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[queue][middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first call of two queues for which a place is free; it then counts as in flight.
    fileprivate mutating func takeNext(of pair: Int) -> RequestQueue.Waiter? {
        var best: (queue: Int, index: Int, ticket: UInt64)?
        for queue in pair..<pair + 2 {
            guard let first = waiting[queue].first, isFree(for: first.demand), let index = waiting[queue].firstIndex(where: { !$0.isHeld() })
            else { continue }
            let ticket = waiting[queue][index].ticket
            if best.map({ ticket < $0.ticket }) ?? true { best = (queue, index, ticket) }
        }
        guard let best else { return nil }
        let waiter = waiting[best.queue].remove(at: best.index)
        waitingCount -= 1
        take(waiter.demand)
        return waiter
    }
}

extension RequestQueue.Demand {
    /// The index of the queue for calls with the same demand.
    fileprivate var queue: Int { (traffic.rank * 3 + priority.rawValue) * 2 + (needsConnection ? 1 : 0) }
}

extension Traffic {
    /// The order of admission; the highest goes first.
    fileprivate var rank: Int {
        switch self {
        case .background: 0
        case .resource: 1
        case .refresh: 2
        }
    }
}
