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
        /// Whether only transfers use the places, so that none are kept for other requests.
        private let isForTransfers: Bool

        init(limit: Int, isForTransfers: Bool) {
            self.limit = max(1, limit)
            self.isForTransfers = isForTransfers
        }

        /// The maximum for transfers, resources and background calls.
        var lesserLimit: Int { isForTransfers ? limit : max(1, limit - max(1, limit / 4)) }
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
        let number: UInt64
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
        /// Later queues have precedence.
        var waiting: [Deque<Waiter>] = Array(repeating: [], count: 18)
        var lastNumber: UInt64 = 0
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
    private let state: Mutex<State>

    /// The default limit of requests in flight.
    static let defaultLimit = 64
    /// The maximum number of origins whose HTTP version is stored.
    private static let mostOrigins = 256

    /// - Parameters:
    ///   - limit: The maximum number of requests in flight.
    ///   - connections: The maximum number of open connections; nil for no limit.
    ///   - isForTransfers: Whether only transfers use the queue, so that they may take all places.
    init(limit: Int, connections: Int? = nil, isForTransfers: Bool = false) {
        pool = connections.map { ConnectionPool(limit: $0) }
        state = Mutex(
            State(
                requests: Places(limit: limit, isForTransfers: isForTransfers),
                connections: connections.map { Places(limit: $0, isForTransfers: isForTransfers) }))
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
    func tryAdmit(_ demand: Demand) -> Bool {
        state.withLock { state in
            guard state.isFree(for: demand) else { return false }
            state.take(demand)
            return true
        }
    }

    /// The reason why calls with a demand wait, as text.
    func situation(for demand: Demand) -> String {
        state.withLock { state in
            let waiting = state.waiting.reduce(0) { $0 + $1.count }
            if let text = Self.situation(of: state.requests, for: demand.traffic, "requests", "are in flight") { return "\(text); \(waiting) wait" }
            if demand.needsConnection, let connections = state.connections,
                let text = Self.situation(of: connections, for: demand.traffic, "connections", "are in use")
            {
                return "\(text); \(waiting) wait"
            }
            return "\(waiting) wait"
        }
    }

    /// Why no place is free; nil when one is.
    private static func situation(of places: Places, for traffic: Traffic, _ what: String, _ state: String) -> String? {
        guard !places.isFree(for: traffic) else { return nil }
        if places.taken >= places.limit { return "\(places.taken) of \(places.limit) \(what) of the service \(state)" }
        let (calls, most) =
            traffic == .background && places.background >= places.backgroundLimit
            ? ("background calls", places.backgroundLimit) : ("transfers, resources and background calls together", places.lesserLimit)
        return "\(calls) may use \(most) of the \(places.limit) \(what) of the service, all in use; the rest is for requests"
    }

    /// Calls `admit` when a place is free for `call`: refresh before resource before background, in each the higher priorities first, and in the order of
    /// arrival among equals.
    ///
    /// - Parameter isHeld: Whether the call is suspended; ``revisit()`` is called when it continues.
    func wait(_ call: RequestID, _ demand: Demand, isHeld: @escaping @Sendable () -> Bool = { false }, admit: @escaping @Sendable () -> Void) {
        let mayGo = state.withLock { state in
            // A place may have become free since the caller checked.
            guard !isHeld(), state.isFree(for: demand) else {
                state.lastNumber += 1
                state.waiting[demand.queue].append(Waiter(call: call, number: state.lastNumber, demand: demand, isHeld: isHeld, admit: admit))
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
    /// The first call of two queues for which a place is free; it then counts as in flight.
    fileprivate mutating func takeNext(of pair: Int) -> RequestQueue.Waiter? {
        var best: (queue: Int, index: Int, number: UInt64)?
        for queue in pair..<pair + 2 {
            guard let first = waiting[queue].first, isFree(for: first.demand), let index = waiting[queue].firstIndex(where: { !$0.isHeld() })
            else { continue }
            let number = waiting[queue][index].number
            if best.map({ number < $0.number }) ?? true { best = (queue, index, number) }
        }
        guard let best else { return nil }
        let waiter = waiting[best.queue].remove(at: best.index)
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

/// Waits for a place in the request queue and holds it while the request is sent.
///
/// A streamed response releases its place when its head is delivered, because its body may have no end; where the service limits its connections, it
/// keeps that of the connection.
struct QueueAdmission<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        let queue = routed.queue
        var demand = queue.demand(of: routed.request, isTransfer: context.call.isTransfer)
        let pipe = context.call.pipe
        // Also over HTTP/2.
        if pipe != nil { demand.needsConnection = true }
        try await admit(to: queue, as: demand)
        pipe?.whenDelivered { [demand] in queue.releaseRequest(demand) }
        defer {
            if let response = exchange.response, let url = exchange.attempts.last?.url { queue.note(version: response.httpVersion, of: url) }
            if pipe?.removeDeliveryAction() == false { queue.releaseConnection(demand) } else { queue.release(demand) }
        }
        try await next.send(routed, &exchange)
    }

    /// Waits for a place in the queue; the wait does not count against the total time limit of the call.
    private func admit(to queue: RequestQueue, as demand: RequestQueue.Demand) async throws(NetworkError) {
        let call = context.call
        if let reason = call.abortReason { throw reason }
        guard call.isSuspended || !queue.tryAdmit(demand) else { return }
        let situation = call.isObserved ? queue.situation(for: demand) : ""
        var isQueued = false
        let start = call.waitStart
        defer { if isQueued { call.noteQueued(since: start) } }
        do throws(NetworkError) {
            try await call.wait(until: nil, timeout: .cancelledByCaller) { answer in
                isQueued = true
                queue.wait(call.id, demand, isHeld: { call.isSuspended }) { answer(.success(())) }
                // Reported after the call has entered the queue, so that the report and the order agree.
                call.decided(.admission, "waits: \(situation)")
                call.report(.queued(because: situation))
                // A suspended call keeps its position and lets others go first.
                call.whileWaiting { if call.isSuspended { call.confirmSuspension() } else { queue.revisit() } }
            }
        } catch {
            if isQueued { queue.leave(call.id, demand) }
            throw error
        }
        call.report(.queued(because: nil))
    }
}
