/// The expected response of an endpoint or a step.
package struct Expectation: Hashable, Sendable {
    /// The expected status.
    package var status: Int?
    /// Unparsed ``Condition`` values by JSON path.
    package var json: [Parameter]
    /// Unparsed ``Condition`` values by header field name.
    package var headers: [Parameter]
    /// The maximum duration.
    package var under: Duration?

    /// Creates an expectation; by default, any response meets it.
    package init(status: Int? = nil, json: [Parameter] = [], headers: [Parameter] = [], under: Duration? = nil) {
        self.status = status
        self.json = json
        self.headers = headers
        self.under = under
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
