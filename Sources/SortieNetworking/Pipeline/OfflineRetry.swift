internal import FoundationEssentials
internal import SortieHTTP

/// Sends a request that may wait for the network: parks it when its server cannot be reached, and sends it again at its turn.
///
/// The order of remedies is: the other addresses of the server, then the other servers of its ring, then parking.
struct OfflineRetry<Next: RequestStep>: RequestStep {
    /// The number of attempts that the exchange of a parked request keeps.
    private static var keptAttempts: Int { 50 }

    let context: CallContext
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard routed.request.options.retry?.parksWhenOffline == true, let queue = context.core.configuration.parking else {
            return try await next.send(routed, &exchange)
        }
        let (call, lane) = (context.call, context.core.lane(of: routed.request))
        let parking = Parking(call: call, queue: queue, lane: lane)
        var notice = call.parked
        do throws(NetworkError) {
            if let notice {
                try await parking.waitForTurn(notice, after: nil)
            } else if queue.isOccupied(lane) {
                notice = try parking.enter(reason: "earlier requests of the service wait for the network")
                queue.tryNow(lane)
                if let notice { try await parking.waitForTurn(notice, after: nil) }
            }
            while let error = try await unreachable(queue, routed, &exchange) {
                var waiting: ParkingNotice
                if let notice { waiting = notice } else { waiting = try parking.enter(reason: error.message) }
                waiting.reason = error.message
                notice = waiting
                exchange.removeOldAttempts(keeping: Self.keptAttempts)
                try await parking.waitForTurn(waiting, after: error)
            }
        } catch {
            if notice != nil { await parking.leave(after: error) }
            throw error
        }
        if notice != nil { await parking.leave(after: nil) }
    }

    /// Sends once.
    ///
    /// Returns the error when the server could not be reached.
    private func unreachable(
        _ queue: OfflineQueue, _ routed: RoutedRequest, _ exchange: inout Exchange
    ) async throws(NetworkError) -> NetworkError? {
        let first = exchange.attempts.count
        do throws(NetworkError) {
            try await next.send(routed, &exchange)
            return nil
        } catch {
            let call = context.call
            // A request that fails while the program ends stays parked; the abort reason states that.
            if let reason = call.abortReason { throw reason }
            // A request to which the server has responded is not parked when its redirect fails.
            guard queue.isWorthWaiting(error), call.request.mayBeRepeated || !exchange.wasAnswered(since: first) else { throw error }
            return error
        }
    }
}

/// The place of a parked request in the queue of its service.
private struct Parking {
    let call: Call
    let queue: OfflineQueue
    /// Identifies the queue of requests that wait for one another.
    let lane: String

    func enter(reason: String) throws(NetworkError) -> ParkingNotice {
        try queue.enter(call.id, lane: lane, bytes: call.request.body.keptBytes)
        let now = Date()
        return ParkingNotice(reason: reason, since: now, expires: now + queue.rules.lifetime.timeInterval)
    }

    func waitForTurn(_ notice: ParkingNotice, after failure: NetworkError?) async throws(NetworkError) {
        do { try await queue.keeper?.keep(call.id, notice) } catch {
            // The request waits anyway; it is lost only if the program crashes.
            call.decided(.parking, "the waiting request could not be stored: \(error)")
        }
        call.report(.parked(notice))
        call.decided(.parking, "\(queue.situation(of: call.id, lane: lane)), because \(notice.reason)")
        let began = MonotonicClock.now
        let start = call.waitStart
        let left = Duration.seconds(max(0, notice.expires.timeIntervalSinceNow))
        let expired = NetworkError(
            .offline, "the server could not be reached for \(queue.rules.lifetime.spoken); the last error was: \(notice.reason)",
            hint: "send it again when the network is back")
        try await call.wait(until: began &+ left.nanoseconds, timeout: expired) { completion in
            queue.wait(call.id, lane: lane, after: failure) { completion(.success(())) }
        }
        // The time spent waiting does not count against the time limits of the request.
        call.exclude(since: start)
        do { try await queue.keeper?.willSend(call.id) } catch {
            throw NetworkError(
                .storage, "not sent: its state could not be stored, so it might be sent twice: \(error)",
                hint: "free some space on the disk; the request still waits and is sent when the program starts again")
        }
        var out = notice
        out.isOut = true
        call.report(.parked(out))
        call.decided(.parking, "sent again after \(Duration.nanoseconds(Int64(MonotonicClock.now &- began)).spoken)")
    }

    func leave(after error: NetworkError?) async {
        queue.leave(call.id, lane: lane)
        // At the end of the program the request stays stored and waits for the next run.
        guard error?.code != .shutDown, error?.code != .storage else { return }
        do { try await queue.keeper?.forget(call.id) } catch {
            call.decided(.parking, "it no longer waits, but could not be removed from the file: \(error)")
        }
    }
}

extension RequestBody {
    /// The number of body bytes in memory while the request waits.
    fileprivate var keptBytes: Int64 {
        switch self {
        case .bytes(let bytes, _): Int64(bytes.count)
        case .none, .file, .multipart: 0
        }
    }
}

extension Duration {
    fileprivate var timeInterval: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Exchange {
    /// Removes the oldest attempts of a call that waits for long, and keeps the time that they were queued.
    fileprivate mutating func removeOldAttempts(keeping count: Int) {
        let surplus = attempts.prefix(max(0, attempts.count - count))
        otherQueued += surplus.reduce(0) { $0 + $1.timing.queued }
        attempts.removeFirst(surplus.count)
    }
}
