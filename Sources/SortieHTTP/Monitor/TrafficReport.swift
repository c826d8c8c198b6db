internal import SortieBase

/// The counts of attempts.
///
/// Every attempt counts, including retries and redirects. A complete response is not an error, whatever its status.
public struct TrafficReport: Hashable, Sendable {
    /// The number of ended attempts.
    public var requests = 0
    /// The number of attempts that failed in transport.
    ///
    /// Cancelled ones are not included.
    public var errors = 0
    /// The median time to the first byte of a response, in seconds.
    public var p50 = 0.0
    /// The 95th percentile, in seconds.
    public var p95 = 0.0
    /// The 99th percentile, in seconds.
    public var p99 = 0.0
    /// The number of body bytes sent.
    public var bytesSent: Int64 = 0
    /// The number of body bytes received on the wire.
    public var bytesReceived: Int64 = 0
    /// The number of connections opened.
    public var connectionsOpened = 0
    /// The number of attempts that reused a connection.
    public var connectionsReused = 0

    /// Creates a report with all counts at zero.
    package init() {}

    /// The share of attempts without an error, from 0 to 1; nil without attempts.
    public var successRate: Double? { requests > 0 ? Double(requests - errors) / Double(requests) : nil }

    /// The counts in JSON, for `--json`.
    package var record: JSONValue {
        [
            "requests": .integer(requests), "errors": .integer(errors),
            "successRate": successRate.map { .number(FixedPoint.text($0, digits: 4)) } ?? .null,
            "latency": ["p50": .seconds(p50), "p95": .seconds(p95), "p99": .seconds(p99)],
            "bytesSent": .integer(bytesSent), "bytesReceived": .integer(bytesReceived),
            "connectionsOpened": .integer(connectionsOpened), "connectionsReused": .integer(connectionsReused),
        ]
    }
}
