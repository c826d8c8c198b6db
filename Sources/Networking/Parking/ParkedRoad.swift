internal import FoundationEssentials
internal import Model

/// Sends a request that may wait for the network: parks it when its server cannot be reached, and sends it again at
/// its turn (S3.16).
///
/// The order of remedies is (X7): the other addresses of the server, then the other servers of its ring, then
/// parking.
struct ParkedRoad {
    let call: Call
    let lot: ParkingLot
    /// Identifies the queue of requests that wait for one another.
    let lane: String

    /// The number of attempts that a parked request keeps.
    private static let keptAttempts = 50

    /// Sends until a response arrives, or until an error occurs that waiting for the network cannot resolve.
    func follow(
        _ exchange: inout Exchange, _ send: (inout Exchange) async throws(NetworkError) -> Void
    ) async throws(NetworkError) {
        var notice = call.parked
        do throws(NetworkError) {
            if let notice {
                try await waitForTurn(notice, after: nil)
            } else if lot.isOccupied(lane) {
                notice = try enter(reason: "earlier requests of the service wait for the network")
                lot.tryNow(lane)
                if let notice { try await waitForTurn(notice, after: nil) }
            }
            while let error = try await unreachable(&exchange, send) {
                var waiting: ParkingNotice
                if let notice { waiting = notice } else { waiting = try enter(reason: error.message) }
                waiting.reason = error.message
                notice = waiting
                exchange.attempts.removeFirst(max(0, exchange.attempts.count - Self.keptAttempts))
                try await waitForTurn(waiting, after: error)
            }
        } catch {
            if notice != nil { await leave(after: error) }
            throw error
        }
        if notice != nil { await leave(after: nil) }
    }

    /// Sends once.
    ///
    /// Returns the error when the server could not be reached.
    private func unreachable(
        _ exchange: inout Exchange, _ send: (inout Exchange) async throws(NetworkError) -> Void
    ) async throws(NetworkError) -> NetworkError? {
        let first = exchange.attempts.count
        do throws(NetworkError) {
            try await send(&exchange)
            return nil
        } catch {
            // A request that fails while the program ends stays parked; the abort reason states that.
            if let reason = call.abortReason { throw reason }
            // A request to which the server has responded is not parked when its redirect fails.
            guard lot.isWorthWaiting(error), call.request.mayBeRepeated || !exchange.wasAnswered(since: first) else { throw error }
            return error
        }
    }

    private func enter(reason: String) throws(NetworkError) -> ParkingNotice {
        try lot.enter(call.id, lane: lane, bytes: call.request.body.keptBytes)
        let now = Date()
        return ParkingNotice(reason: reason, since: now, expires: now + lot.rules.lifetime.timeInterval)
    }

    private func waitForTurn(_ notice: ParkingNotice, after failure: NetworkError?) async throws(NetworkError) {
        do { try await lot.keeper?.keep(call.id, notice) } catch {
            // The request waits anyway; it is lost only if the program crashes.
            call.decided(.parking, "it could not be written down: \(error)")
        }
        call.tell(.parked(notice))
        call.decided(.parking, "\(lot.situation(of: call.id, lane: lane)), because \(notice.reason)")
        let began = MonotonicClock.now
        let start = call.waitStart
        let left = Duration.seconds(max(0, notice.expires.timeIntervalSinceNow))
        let expired = NetworkError(
            .offline, "given up: for \(lot.rules.lifetime.spoken) the server could not be reached; at last \(notice.reason)",
            hint: "send it again when the network is back")
        try await call.wait(until: began &+ left.nanoseconds, timeout: expired) { answer in
            lot.wait(call.id, lane: lane, after: failure) { answer(.success(())) }
        }
        // The time spent waiting does not count against the time limits of the request.
        call.exclude(since: start)
        do { try await lot.keeper?.willSend(call.id) } catch {
            throw NetworkError(
                .storage, "not sent: it could not be written down that it is on its way, and it might be sent twice: \(error)",
                hint: "make room on the disk; it still waits and is sent when the program starts again")
        }
        var out = notice
        out.isOut = true
        call.tell(.parked(out))
        call.decided(.parking, "sent again after \(Duration.nanoseconds(Int64(MonotonicClock.now &- began)).spoken)")
    }

    private func leave(after error: NetworkError?) async {
        lot.leave(call.id, lane: lane)
        // At the end of the program the request stays stored and waits for the next run.
        guard error?.code != .shutDown, error?.code != .storage else { return }
        do { try await lot.keeper?.forget(call.id) } catch {
            call.decided(.parking, "it waits no longer, but could not be taken out of the file: \(error)")
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
