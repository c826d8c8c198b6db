internal import Foundation
internal import HistoryModel
internal import SortieHTTP

extension PastExchange {
    /// The attempts for an HTTP archive: the last with what it sent and received, the earlier ones with what is known of them.
    ///
    /// The start of an attempt is the sum of the delays and durations before it.
    var hops: [RecordedHop] {
        var startedAt = item.startedAt
        var hops: [RecordedHop] = []
        for (index, attempt) in exchange.attempts.enumerated() {
            startedAt += attempt.delay + attempt.timing.queued
            hops.append(index == exchange.attempts.count - 1 ? last(startedAt, index + 1) : hop(attempt, startedAt, index + 1))
            startedAt += attempt.timing.total
        }
        return hops.isEmpty ? [last(startedAt, 1)] : hops
    }

    /// An earlier attempt: a redirect or a retry.
    private func hop(_ attempt: Attempt, _ startedAt: Date, _ number: Int) -> RecordedHop {
        var request = exchange.request
        request.url = attempt.url
        request.method = attempt.method
        request.body = .none
        var hop = RecordedHop(call: exchange.id, attempt: number, startedAt: startedAt, request: request)
        hop.sentHeaders = []
        hop.response = attempt.status.map { Response(status: $0, headers: location(after: number)) }
        hop.error = attempt.error
        take(attempt, &hop)
        return hop
    }

    /// The target of a redirect: the URL of the next attempt, if it is another one.
    private func location(after number: Int) -> Headers {
        let (from, to) = (exchange.attempts[number - 1], exchange.attempts[number])
        guard let status = from.status, (300..<400).contains(status), to.url != from.url else { return [] }
        return [HeaderField("Location", to.url.description)]
    }

    private func last(_ startedAt: Date, _ number: Int) -> RecordedHop {
        var request = exchange.request
        if let attempt = exchange.attempts.last {
            request.url = attempt.url
            request.method = attempt.method
            // A redirect that changes the method to GET removes the body.
            if attempt.method != exchange.request.method { request.body = .none }
        }
        var hop = RecordedHop(call: exchange.id, attempt: number, startedAt: startedAt, request: request)
        hop.sentHeaders = exchange.sentHeaders
        hop.sentBodyBytes = exchange.sentBodyBytes
        hop.response = exchange.response
        hop.isBodyElsewhere = file != nil
        hop.error = exchange.error
        if let attempt = exchange.attempts.last { take(attempt, &hop) }
        if exchange.attempts.isEmpty { hop.timing = exchange.timing }
        return hop
    }

    private func take(_ attempt: Attempt, _ hop: inout RecordedHop) {
        hop.timing = attempt.timing
        hop.queued = attempt.timing.queued > 0 ? attempt.timing.queued : nil
        hop.address = attempt.address
        hop.isConnectionReused = attempt.isConnectionReused
    }
}
