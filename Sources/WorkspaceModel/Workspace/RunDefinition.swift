public import SortieBase

/// A batch or a chain as its file describes it.
public struct RunDefinition: Hashable, Sendable {
    /// The relation of the steps.
    public enum Kind: String, Hashable, Sendable {
        /// The steps run concurrently and independently.
        case batch
        /// The steps run one after the other and can use earlier captures.
        case chain
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// The target of the endpoint to send.
        public var target: String
        /// The name under which later steps refer to its captures.
        public var name: String
        /// The variables of this step.
        public var variables: [String: String]
        /// The expected response; nil for the expectation of the endpoint.
        public var expectation: Expectation?
        /// Captures in addition to those of the endpoint; they take precedence over captures of the same name.
        public var captures: [Capture]
        /// The location of the step.
        public var location: SourceLocation?

        /// Creates a step.
        public init(
            target: String, name: String, variables: [String: String] = [:], expectation: Expectation? = nil, captures: [Capture] = []
        ) {
            self.target = target
            self.name = name
            self.variables = variables
            self.expectation = expectation
            self.captures = captures
        }
    }

    /// The name of the file without its extension.
    public var name: String
    /// Batch or chain.
    public var kind: Kind
    /// The steps in order.
    public var steps: [Step]
    /// Whether the first failure stops the run; otherwise a chain with data rows continues with the next row.
    public var stopsOnFailure: Bool
    /// The maximum number of concurrent steps of a batch; nil for the default.
    public var concurrency: Int?
    /// The absolute path of a file with data rows, for each of which the run is repeated; nil runs it once.
    public var dataFile: String?
    /// The names of the data columns; nil where the file is outside the workspace and is not read while loading.
    public var dataColumns: [String]? = []
    /// The location of the file.
    public var location: SourceLocation?

    /// Creates a run.
    public init(name: String, kind: Kind, steps: [Step], stopsOnFailure: Bool = true, concurrency: Int? = nil) {
        self.name = name
        self.kind = kind
        self.steps = steps
        self.stopsOnFailure = stopsOnFailure
        self.concurrency = concurrency
    }
}
