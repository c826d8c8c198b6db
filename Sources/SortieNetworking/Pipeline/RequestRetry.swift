internal import SortieHTTP

/// Sends a request again after a delay where ``Retry`` allows it; during the delay its place in the queue is free for others.
struct RequestRetry<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard (routed.request.options.retry?.limit ?? 0) > 0 else { return try await next.send(routed, &exchange) }
        let call = context.call
        routed.queue.retryBudget.deposit()
        var retry = Retry(routed.request, budget: routed.queue.retryBudget, source: context.core.retrySource)
        var delay = 0.0
        while true {
            let first = exchange.attempts.count
            var failure: NetworkError?
            do throws(NetworkError) { try await next.send(routed, &exchange) } catch { failure = error }
            if call.pipe?.isCommitted == true {
                if let failure { throw failure }
                return
            }
            if exchange.attempts.indices.contains(first) { exchange.attempts[first].delay = delay }
            let left = call.deadline.map { MonotonicClock.seconds(from: MonotonicClock.now, to: $0) }
            let wasAnswered = exchange.wasAnswered(since: first)
            switch retry.decision(
                after: failure, exchange.response, secondsLeft: left, isBodySpent: call.files.isSpent, wasAnswered: wasAnswered)
            {
            case .end(let reason):
                if let reason { call.decided(.retry, reason) }
                if let failure { throw failure }
                return
            case .again(let seconds, let reason):
                call.decided(.retry, reason)
                delay = seconds
                // The response of a failed try is not the response of the call, whatever the next try returns.
                exchange.response = nil
                call.report(.retrying(seconds: seconds))
                try await call.pause(seconds: seconds)
                call.report(.retrying(seconds: 0))
            }
        }
    }
}
