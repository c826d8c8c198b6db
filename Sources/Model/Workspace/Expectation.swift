/// What an answer must be for its step to count as done.
public struct Expectation: Hashable, Codable, Sendable {
    /// The status.
    public var status: Int?
    /// JSON path → ``Condition``, both as written.
    public var json: [Parameter]
    /// Header name → ``Condition``, as written.
    public var headers: [Parameter]
    /// The most time it may take.
    public var under: Duration?

    /// No expectation.
    public init(status: Int? = nil, json: [Parameter] = [], headers: [Parameter] = [], under: Duration? = nil) {
        self.status = status
        self.json = json
        self.headers = headers
        self.under = under
    }
}

/// A value that is taken from an answer under a name.
public struct Capture: Hashable, Codable, Sendable {
    /// The name of the variable.
    public var name: String
    /// Where it comes from, as written: a JSON path, `header NAME` or `status`.
    public var path: String

    /// A capture.
    public init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}
