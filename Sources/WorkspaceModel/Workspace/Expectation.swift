/// The expected response of an endpoint or a step.
public struct Expectation: Hashable, Sendable {
    /// The expected status.
    public var status: Int?
    /// Unparsed ``Condition`` values by JSON path.
    public var json: [Parameter]
    /// Unparsed ``Condition`` values by header field name.
    public var headers: [Parameter]
    /// The maximum duration.
    public var under: Duration?

    /// Creates an expectation; by default, any response meets it.
    public init(status: Int? = nil, json: [Parameter] = [], headers: [Parameter] = [], under: Duration? = nil) {
        self.status = status
        self.json = json
        self.headers = headers
        self.under = under
    }
}

/// A value to take from a response.
public struct Capture: Hashable, Sendable {
    /// The name of the variable.
    public var name: String
    /// The unparsed source: a JSON path, `header NAME` or `status`.
    public var path: String

    /// Creates a capture.
    public init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}
