internal import SortieHTTP

/// The result of a bench.
struct BenchResult: Sendable {
    let plan: BenchPlan
    let tally: BenchTally
    /// The time from the begin to the end of the last call, in seconds.
    let duration: Double
    /// The number of intended calls that had not started when the time was over.
    let notStarted: Int
    /// Whether a signal ended it.
    let isInterrupted: Bool

    /// The number of calls that ended per second.
    var callsPerSecond: Double { duration > 0 ? Double(tally.calls) / duration : 0 }

    /// The failure with which the command ends; nil where all calls succeeded.
    ///
    /// Where no call has a response, it is the failure of the first one, as that of a single call.
    var failure: CommandFailure? {
        let count = tally.calls
        if isInterrupted {
            return CommandFailure(.interrupted, "the bench was interrupted after \(count) calls")
        }
        guard tally.failed > 0 else { return nil }
        let reasons = reasons
        if tally.withoutResponse == count, let first = reasons.first?.failures.first {
            let others = count > 1 ? "; all \(count) calls failed so" : ""
            let rest = reasons.count == 1 ? others : "; no call had a response"
            return CommandFailure(first.kind, name: first.name, first.message + rest, hint: reasons.count == 1 ? first.hint : nil)
        }
        let parts = reasons.map { "\($0.name) × \($0.failures.count)" }.joined(separator: ", ")
        return CommandFailure(.response, "\(tally.failed) of \(count) calls failed: \(parts)")
    }

    /// The reasons of failures, the most frequent one first.
    var reasons: [(name: String, failures: BenchTally.Failures)] {
        tally.failures.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The statuses of gRPC in the order of their codes; empty for other calls.
    var grpcStatuses: [(status: GRPCStatus, count: Int)] {
        tally.grpcStatuses.sorted { $0.key < $1.key }.map { (GRPCStatus(code: $0.key), $0.value) }
    }

    /// The statuses in their order.
    var statuses: [(status: Int, count: Int)] { tally.statuses.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}
