internal import SortieBase
internal import SortieHTTP

/// The record of `--json`.
extension BenchResult {
    /// The record of a bench of a request; times are in seconds.
    func record(of request: Request, _ redaction: Redaction) -> JSONValue {
        let bars = LatencyBars(tally.latencies).bars
        return [
            "endpoint": .optional(request.target), "environment": .optional(request.environment),
            "request": ["method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description))],
            "state": isInterrupted ? "cancelled" : "finished",
            "load": [
                "model": plan.rate == nil ? "closed" : "open", "concurrency": .integer(plan.concurrency),
                "rate": plan.rate.map { .number(String($0)) } ?? .null, "requests": plan.requests.map { .integer($0) } ?? .null,
                "duration": plan.duration.map { .seconds($0 / .seconds(1)) } ?? .null,
            ],
            "duration": .seconds(duration), "calls": .integer(tally.calls), "failed": .integer(tally.failed),
            "cancelled": .integer(tally.cancelled), "notStarted": .integer(notStarted),
            "callsPerSecond": .number(String((callsPerSecond * 1000).rounded() / 1000)),
            "latency": Self.record(LatencySummary(tally.latencies)), "serviceTime": Self.record(LatencySummary(tally.serviceTimes)),
            "histogram": .array(bars.map(Self.record)),
            "statuses": .array(statuses.map { ["status": .integer($0.status), "count": .integer($0.count)] }),
            "grpcStatuses": .array(
                grpcStatuses.map {
                    ["status": .integer($0.status.code), "name": .string($0.status.name), "count": .integer($0.count)]
                }),
            "failures": .array(
                reasons.map { ["reason": .string($0.name), "count": .integer($0.failures.count), "message": .string($0.failures.first.message)] }),
            "bytes": ["sent": .integer(tally.bytesSent), "received": .integer(tally.bytesReceived)],
            "connections": ["opened": .integer(tally.connectionsOpened), "reused": .integer(tally.connectionsReused)],
            "attempts": .integer(tally.attempts),
        ]
    }

    private static func record(_ bar: LatencyBars.Bar) -> JSONValue {
        ["from": .seconds(Double(bar.from) / 1e9), "to": .seconds(Double(bar.to) / 1e9), "count": .integer(bar.count)]
    }

    private static func record(_ summary: LatencySummary?) -> JSONValue {
        summary.map { .object($0.values.map { JSONValue.Member($0.key, .seconds($0.seconds)) }) } ?? .null
    }
}
