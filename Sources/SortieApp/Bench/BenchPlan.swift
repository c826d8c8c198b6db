/// When the calls of a bench start.
struct BenchPlan: Hashable, Sendable {
    /// The number of calls; nil for as many as the time allows.
    let requests: Int?
    /// The time in which calls start; nil without a limit.
    let duration: Duration?
    /// The maximum number of calls at a time.
    let concurrency: Int
    /// The number of intended starts per second; nil where a call starts when another one has ended.
    let rate: Double?

    /// The intended start of a call after the begin of the bench; nil without a rate.
    func intendedStart(of call: Int) -> Duration? {
        rate.map { .nanoseconds(Int64((Double(call) / $0 * 1e9).rounded())) }
    }

    /// The number of calls whose intended start is within a time after the begin; nil without a rate.
    func intendedCalls(within elapsed: Duration) -> Int? {
        guard let rate else { return nil }
        let time = min(elapsed, duration ?? elapsed)
        // The first call starts at once, and none at the end of the time.
        let count = max(1, Int((time / .seconds(1) * rate).rounded(.up)))
        return min(count, requests ?? count)
    }
}
