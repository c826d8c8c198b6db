/// The expected response of an endpoint or a step.
package struct Expectation: Hashable, Sendable {
    /// The expected status, where only one is expected.
    package var status: Int?
    /// The expected statuses in the order of the file, where several are expected; nil where ``status`` has the expectation.
    package var statuses: [ClosedRange<Int>]?
    /// Unparsed ``Condition`` values by JSON path.
    package var json: [Parameter]
    /// Unparsed ``Condition`` values by header field name.
    package var headers: [Parameter]
    /// The maximum duration.
    package var under: Duration?
    /// The size of the body after decoding.
    package var size: SizeCondition?
    /// The JSON Schema of the body.
    package var schema: SchemaSource?
    /// The recorded body with which the body is compared.
    package var snapshot: SnapshotExpectation?

    /// Creates an expectation; by default, any response meets it.
    package init(status: Int? = nil, json: [Parameter] = [], headers: [Parameter] = [], under: Duration? = nil) {
        self.status = status
        self.json = json
        self.headers = headers
        self.under = under
    }

    /// Whether a status is expected.
    package var hasStatus: Bool { status != nil || statuses != nil }

    /// Sets the expected statuses.
    package mutating func expect(_ ranges: [ClosedRange<Int>]) {
        status = ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil
        statuses = status == nil ? ranges : nil
    }
}

/// A value to take from a response.
package struct Capture: Hashable, Sendable {
    /// The name of the variable.
    package var name: String
    /// The unparsed source: a JSON path, `header NAME` or `status`.
    package var path: String

    /// Creates a capture.
    package init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}
