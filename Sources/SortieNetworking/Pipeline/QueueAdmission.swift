internal import SortieHTTP

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
