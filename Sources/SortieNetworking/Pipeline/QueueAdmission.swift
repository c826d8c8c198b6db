internal import SortieHTTP
internal import Synchronization

/// Waits for a place in the request queue, which the call has while the request is sent.
///
/// A streamed response releases its place when its head is delivered, because its body may have no end; where the service limits its connections, it
/// keeps that of the connection. A call that waits for code of the program releases both, and takes them again before its next transfer.
struct QueueAdmission<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        let queue = routed.queue
        var demand = queue.demand(of: routed.request, isTransfer: context.call.isTransfer)
        let pipe = context.call.pipe
        // The separate connection of the call counts, also over HTTP/2.
        if context.call.streamPool != nil { demand.needsConnection = true }
        context.place.withLock { $0 = QueuePlace(queue: queue, demand: demand) }
        if !context.takeFreePlace() { try await context.takePlace() }
        pipe?.whenDelivered { [context] in context.giveUpPlace(keepsConnection: true) }
        defer {
            if queue.pool != nil, let response = exchange.response, let url = exchange.attempts.last?.url {
                queue.note(version: response.httpVersion, of: url)
            }
            context.giveUpPlace()
        }
        try await next.send(routed, &exchange)
    }
}

/// The place of a call in a request queue.
struct QueuePlace {
    /// What the call has of its demand.
    enum Holding {
        case nothing, connection, all
    }

    let queue: RequestQueue
    let demand: RequestQueue.Demand
    var holding = Holding.nothing
    /// The position of the call in the order of arrival, which it keeps when it releases its place; nil before its arrival.
    var ticket: UInt64?
    /// The same in the queue of all requests of the client.
    var overallTicket: UInt64?

    /// The demand on the queue of all requests, which has no connections.
    var overallDemand: RequestQueue.Demand { RequestQueue.Demand(traffic: demand.traffic, priority: demand.priority, needsConnection: false) }
}

extension CallContext {
    /// Takes the place of the call where it has none and one is free; returns whether the call has it.
    ///
    /// False also for a call that is aborted or suspended, and where the places of the client are limited; ``takePlace()`` follows.
    func takeFreePlace() -> Bool {
        guard core.overallQueue == nil, call.phase == .running else { return false }
        return place.withLock { place in
            guard var wanted = place, wanted.holding == .nothing else { return true }
            let isAdmitted = wanted.queue.tryAdmit(wanted.demand, ticket: &wanted.ticket)
            if isAdmitted { wanted.holding = .all }
            place = wanted
            return isAdmitted
        }
    }

    /// Takes the place of the call where it has none; waits until one is free, at most until the deadline.
    func takePlace() async throws(NetworkError) {
        guard var place = place.withLock({ $0 }), place.holding == .nothing else { return }
        if let reason = call.abortReason { throw reason }
        try await admit(to: place.queue, as: place.demand, &place.ticket)
        // After the place of the service, so that calls that wait for their service take none of the others.
        if let overall = core.overallQueue {
            do throws(NetworkError) { try await admit(to: overall, as: place.overallDemand, &place.overallTicket) } catch {
                place.queue.release(place.demand)
                throw error
            }
        }
        place.holding = .all
        self.place.withLock { $0 = place }
    }

    /// Releases the place of the call, where it has one, so that requests on which it waits are not kept from being sent.
    ///
    /// - Parameter keepsConnection: Whether its transfer continues on its connection.
    func giveUpPlace(keepsConnection: Bool = false) {
        let place = place.withLock { place -> QueuePlace? in
            guard let before = place, before.holding == .all || before.holding == .connection && !keepsConnection else { return nil }
            place?.holding = keepsConnection ? .connection : .nothing
            return before
        }
        guard let place else { return }
        if place.holding == .all { core.overallQueue?.release(place.overallDemand) }
        if keepsConnection {
            place.queue.releaseRequest(place.demand)
        } else if place.holding == .connection {
            place.queue.releaseConnection(place.demand)
        } else {
            place.queue.release(place.demand)
        }
    }

    private func admit(to queue: RequestQueue, as demand: RequestQueue.Demand, _ place: inout UInt64?) async throws(NetworkError) {
        let call = call
        guard !queue.tryAdmit(demand, ticket: &place, isHeld: call.isSuspended), let ticket = place else { return }
        let situation = call.isObserved ? queue.situation(for: demand) : ""
        var isQueued = false
        let start = call.waitStart
        defer { if isQueued { call.noteQueued(since: start) } }
        do throws(NetworkError) {
            try await call.wait(until: call.deadline, timeout: .total(call.totalLimit, waitingFor: "a place in its queue")) { completion in
                isQueued = true
                queue.wait(call.id, demand, ticket: ticket, isHeld: { call.isSuspended }) { completion(.success(())) }
                // Reported after the call has entered the queue, so that the report and the order agree.
                call.decided(.admission, "waits: \(situation)")
                call.report(.changed(.queued(because: situation)))
                // A suspended call keeps its position, and later calls are admitted before it.
                call.whileWaiting { if call.isSuspended { call.confirmSuspension() } else { queue.revisit() } }
            }
        } catch {
            if isQueued { queue.leave(call.id, demand) }
            throw error
        }
        call.report(.changed(.sending))
    }
}
