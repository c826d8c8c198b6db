internal import Model

/// Whether and when a call that failed is tried again: never by libcurl, which knows nothing of budgets and of what a method may do twice.
struct Retry {
    /// What is done after a failure.
    enum Verdict: Equatable {
        /// The call ends as it is; the reason is told where one was looked for.
        case end(String?)
        /// It is tried again after so many seconds.
        case again(after: Double, String)
    }

    /// Where chance and the time of day come from.
    struct Source: Sendable {
        /// A number in a range.
        var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }
        /// Seconds since 1970.
        var now: @Sendable () -> Int64 = { SystemClock.seconds }
    }

    /// Statuses of servers that may do better a moment later.
    static let statuses: Set<Int> = [408, 429, 502, 503, 504]
    /// The most seconds before the first repetition; doubled for each further one.
    static let base = 0.25
    /// The most seconds before any repetition that the server does not ask for.
    static let cap = 30.0

    let request: Request
    let budget: RetryBudget
    let source: Source
    /// How often it was tried again.
    private(set) var count = 0

    init(_ request: Request, budget: RetryBudget, source: Source) {
        self.request = request
        self.budget = budget
        self.source = source
    }

    /// What is done after an attempt that ended with `error` or `response`.
    ///
    /// - Parameters:
    ///   - secondsLeft: until the call must be over; nil without a limit.
    ///   - isBodySpent: whether the body was read and cannot be read again.
    ///   - wasAnswered: whether a server answered before it failed elsewhere, as with a redirect that led nowhere.
    mutating func verdict(
        after error: NetworkError?, _ response: Response?, secondsLeft: Double?, isBodySpent: Bool = false, wasAnswered: Bool = false
    ) -> Verdict {
        guard let failure = failure(error, response) else { return .end(nil) }
        let limit = request.options.retry?.limit ?? 0
        guard count < limit else { return .end(limit > 0 ? "not retried after \(failure): that was retry \(count) of \(limit)" : nil) }
        if let secondsLeft, secondsLeft <= 0 { return .end(nil) }
        guard !isBodySpent else { return .end("not retried after \(failure): the body was already read and cannot be read again") }
        guard request.mayBeRepeated || error?.saysNothingWasSent == true && !wasAnswered else {
            return .end("not retried after \(failure): a \(request.method) may have been processed; an Idempotency-Key or anyMethod allows it")
        }
        var delay = source.random(0...min(Self.cap, Self.base * Double(1 << min(count, 20))))
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

    /// What went wrong, in words, where trying again may help; nil where not.
    private func failure(_ error: NetworkError?, _ response: Response?) -> String? {
        guard let error else {
            guard let response, Self.statuses.contains(response.status) else { return nil }
            return "the server responded with \(response.status)"
        }
        switch error.code {
        case .hostNotFound, .connectionRefused, .cannotConnect, .offline, .timedOut, .connectionLost, .emptyResponse, .truncatedBody, .proxyFailed,
            .ambiguousDelivery:
            return error.code.rawValue
        default: return nil
        }
    }

    private static func spoken(_ seconds: Double) -> String {
        // A server may ask for more than any clock counts.
        Duration.milliseconds(Int(min(seconds, 1e12) * 1000)).spoken
    }
}

extension NetworkError {
    /// Whether no server can have got anything of the request.
    fileprivate var saysNothingWasSent: Bool {
        switch code {
        case .hostNotFound, .connectionRefused, .cannotConnect, .offline: true
        default: false
        }
    }
}

extension Request {
    /// Whether it does no harm to send it twice: by its method, because it says how the server tells repetitions, or because its owner says so.
    var mayBeRepeated: Bool {
        method.isIdempotent || options.retry?.repeatsAnyMethod == true || headers.contains("Idempotency-Key")
    }
}

extension Exchange {
    /// Whether any server answered one of the attempts from `first` on: what it was asked for is done then, whatever came after it.
    func wasAnswered(since first: Int) -> Bool { attempts.dropFirst(first).contains { $0.status != nil } }
}
