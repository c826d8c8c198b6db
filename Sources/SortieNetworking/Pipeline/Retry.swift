internal import SortieHTTP
internal import Synchronization

/// Decides whether and when a failed call is sent again; libcurl never repeats a request.
struct Retry {
    /// The decision after a failure.
    enum Decision: Equatable {
        /// The call ends; with the reason where a retry was considered.
        case end(String?)
        /// The call is sent again after a delay in seconds.
        case again(after: Double, String)
    }

    /// The source of random numbers and of wall-clock time.
    struct Source: Sendable {
        /// Returns a random number in a range.
        var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }
        /// Returns the time in seconds since 1970.
        var now: @Sendable () -> Int64 = { SystemClock.seconds }
    }

    let request: Request
    let budget: RetryBudget
    let source: Source
    /// The number of retries.
    private(set) var count = 0

    init(_ request: Request, budget: RetryBudget, source: Source) {
        (self.request, self.budget, self.source) = (request, budget, source)
    }

    /// Decides after an attempt that ended with `error` or `response`.
    ///
    /// - Parameters:
    ///   - secondsLeft: The time until the deadline of the call; nil without a limit.
    ///   - isBodySpent: Whether the body was read and cannot be read again.
    ///   - wasAnswered: Whether a server responded before the failure, for example with a redirect.
    ///   - choice: The choice of the program; nil applies the rules.
    mutating func decision(
        after error: NetworkError?, _ response: Response?, secondsLeft: Double?, isBodySpent: Bool = false, wasAnswered: Bool = false,
        choice: Bool? = nil
    ) -> Decision {
        let policy = request.options.retry ?? RetryPolicy()
        guard let failure = failure(error, response, policy, isChosen: choice == true) else { return .end(nil) }
        if choice == false { return .end("not retried after \(failure), as the program chose") }
        let limit = policy.limit
        guard count < limit else { return .end(limit > 0 ? "not retried after \(failure): that was retry \(count) of \(limit)" : nil) }
        if let secondsLeft, secondsLeft <= 0 { return .end(nil) }
        guard !isBodySpent else { return .end("not retried after \(failure): the body was already read and cannot be read again") }
        guard request.mayBeRepeated || error?.saysNothingWasSent == true && !wasAnswered else {
            return .end("not retried after \(failure): a \(request.method) may have been processed; an Idempotency-Key or anyMethod allows it")
        }
        var delay = source.random(0...policy.longestDelay(before: count))
        var reason = failure
        if error == nil, let response, let asked = RetryAfter.seconds(in: response.headers, now: HTTPDate(seconds: source.now())), asked >= delay {
            delay = asked
            reason += ", with Retry-After \(Self.spoken(asked))"
        }
        if let secondsLeft, delay >= secondsLeft {
            return .end("not retried after \(reason): only \(Self.spoken(secondsLeft)) are left")
        }
        guard budget.withdraw() else {
            return .end("not retried after \(failure): too many requests of the service were retried recently")
        }
        count += 1
        return .again(after: delay, "\(reason); retry \(count) of \(limit) in \(Self.spoken(delay))")
    }

    /// The failure as text; nil where a retry cannot help.
    private func failure(_ error: NetworkError?, _ response: Response?, _ policy: RetryPolicy, isChosen: Bool) -> String? {
        guard let error else {
            guard let response, isChosen || policy.statuses.contains(response.status) else { return nil }
            return "the server responded with \(response.status)"
        }
        switch error.code {
        case .cancelled, .superseded, .shutDown: return nil
        case let code where isChosen: return code.rawValue
        case .hostNotFound, .connectionRefused, .cannotConnect, .offline, .timedOut, .connectionLost, .emptyResponse, .truncatedBody, .proxyFailed,
            .ambiguousDelivery:
            return error.code.rawValue
        default: return nil
        }
    }

    private static func spoken(_ seconds: Double) -> String {
        // A server may request a delay that no clock can represent.
        Duration.milliseconds(Int(min(seconds, 1e12) * 1000)).spoken
    }
}

extension RetryPolicy {
    /// The longest delay before the repetition after `count` earlier ones, in seconds.
    func longestDelay(before count: Int) -> Double {
        min(Double(cap.nanoseconds), Double(base.nanoseconds) * Double(1 << min(count, 20))) / 1e9
    }
}

extension NetworkError {
    /// Whether no server can have received anything of the request.
    fileprivate var saysNothingWasSent: Bool {
        switch code {
        case .hostNotFound, .connectionRefused, .cannotConnect, .offline: true
        default: false
        }
    }
}

extension Request {
    /// Whether the request may be sent twice: its method is idempotent, it has an `Idempotency-Key`, or its options allow it.
    var mayBeRepeated: Bool {
        method.isIdempotent || options.retry?.repeatsAnyMethod == true || headers.contains("Idempotency-Key")
    }
}

extension Exchange {
    /// Whether a server responded to one of the attempts from `first` on and so may have processed the request.
    func wasAnswered(since first: Int) -> Bool { attempts.dropFirst(first).contains { $0.status != nil } }
}

/// Sends a request again after a delay where ``Retry`` allows it; during the delay its place in the queue is free for others.
struct RequestRetry<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

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
            let wasAnswered = exchange.wasAnswered(since: first)
            let choice = (context.service.configuration.retryChoice ?? context.core.configuration.retryChoice)?(exchange, failure)
            switch retry.decision(
                after: failure, exchange.response, secondsLeft: call.secondsLeft, isBodySpent: call.files.isSpent, wasAnswered: wasAnswered,
                choice: choice)
            {
            case .end(let reason):
                if let reason { call.decided(.retry, reason) }
                if let failure { throw failure }
                return
            case .again(let seconds, let reason):
                call.decided(.retry, reason)
                delay = seconds
                let cause = failure?.code.rawValue ?? exchange.response.map { "\($0.status)" } ?? ""
                // The response of a failed try is not the response of the call, whatever the next try returns.
                exchange.response = nil
                call.report(.changed(.waiting(seconds: seconds, because: cause)))
                try await call.pause(seconds: seconds)
                call.report(.changed(.sending))
            }
        }
    }
}

/// Limits the retries of a service, so that they do not overload a failing server.
///
/// It starts with twenty; every call that may be retried adds a fifth, and each retry takes one.
final class RetryBudget: Sendable {
    private static let most = 20.0
    private let tokens = Mutex(RetryBudget.most)

    /// Adds the share of a call.
    func deposit() {
        tokens.withLock { $0 = min(Self.most, $0 + 0.2) }
    }

    /// Takes one retry; false where none is left.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }
}
