/// What a request was made of, so that it can be made once more: the endpoint as it was fired, and what its templates stood for then.
public struct RequestOrigin: Hashable, Codable, Sendable {
    /// The endpoint with its templates, unsaved edits included.
    public var endpoint: Endpoint
    /// What variables stood for, by their names; those of secrets are not in it.
    public var variables: [String: String]
    /// What built-ins gave, by their text (`uuid`, `date yyyy`), in the order in which they were asked.
    public var builtins: [String: [String]]
    /// Where the values came from, for previews; it is not stored.
    public var sources: [ValueSource] = []
    /// The run that a step belongs to.
    public var run: String?

    /// What a request was made of.
    public init(endpoint: Endpoint, variables: [String: String] = [:], builtins: [String: [String]] = [:], run: String? = nil) {
        self.endpoint = endpoint
        self.variables = variables
        self.builtins = builtins
        self.run = run
    }

    private enum CodingKeys: String, CodingKey {
        case endpoint, variables, builtins, run
    }
}
