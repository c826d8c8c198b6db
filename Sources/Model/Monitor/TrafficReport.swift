/// What was counted of requests (S3.3).
///
/// Every attempt counts, repetitions and redirects too; an answer is no error, whatever its status.
public struct TrafficReport: Hashable, Sendable {
    /// Attempts that ended.
    public var requests = 0
    /// Those that got no whole answer; cancelled ones are not among them.
    public var errors = 0
    /// Times to the first byte of an answer, in seconds: half of the answers came within it.
    public var p50 = 0.0
    /// 95 of 100 came within it.
    public var p95 = 0.0
    /// 99 of 100 came within it.
    public var p99 = 0.0
    /// Bytes of bodies that went out.
    public var bytesSent: Int64 = 0
    /// Bytes of bodies that came in, as they came over the wire.
    public var bytesReceived: Int64 = 0
    /// Connections that were opened.
    public var connectionsOpened = 0
    /// Attempts that used an open connection again.
    public var connectionsReused = 0

    /// Nothing counted.
    public init() {}

    /// The share of attempts that were answered, from 0 to 1; nil without attempts.
    public var successRate: Double? { requests > 0 ? Double(requests - errors) / Double(requests) : nil }

    /// The numbers, for `--json`.
    public var record: JSONValue {
        [
            "requests": .integer(requests), "errors": .integer(errors),
            "successRate": successRate.map { .number(FixedPoint.text($0, digits: 4)) } ?? .null,
            "latency": ["p50": .seconds(p50), "p95": .seconds(p95), "p99": .seconds(p99)],
            "bytesSent": .integer(bytesSent), "bytesReceived": .integer(bytesReceived),
            "connectionsOpened": .integer(connectionsOpened), "connectionsReused": .integer(connectionsReused),
        ]
    }
}
