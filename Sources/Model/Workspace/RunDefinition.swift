/// A batch or a chain as its file describes it.
public struct RunDefinition: Hashable, Sendable {
    /// How the steps belong together.
    public enum Kind: String, Hashable, Codable, Sendable {
        /// At the same time, independent of one another.
        case batch
        /// One after the other, each may use what earlier ones captured.
        case chain
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// What is sent: a target.
        public var target: String
        /// The name under which its captures are known.
        public var name: String
        /// Variables for this step alone.
        public var variables: [String: String]
        /// What the answer must be; nil for what the endpoint says.
        public var expectation: Expectation?
        /// What is taken from the answer beside the endpoint's own captures; wins over those of the same name.
        public var captures: [Capture]
        /// Where it is written.
        public var location: SourceLocation?

        /// A step.
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

    /// The file's name without its ending.
    public var name: String
    /// Batch or chain.
    public var kind: Kind
    /// The steps in order.
    public var steps: [Step]
    /// Whether the first failure stops the rest; where not, a chain that is repeated for rows of data goes on with the next row.
    public var stopsOnFailure: Bool
    /// How many steps of a batch are in flight; nil for the default.
    public var concurrency: Int?
    /// The absolute path of a file with rows of data, for each of which the run is repeated; nil runs it once.
    public var dataFile: String?
    /// The names that the data gives; nil where the file lies outside the workspace, so that loading does not read it.
    public var dataColumns: [String]? = []
    /// The file.
    public var location: SourceLocation?

    /// A run.
    public init(name: String, kind: Kind, steps: [Step], stopsOnFailure: Bool = true, concurrency: Int? = nil) {
        self.name = name
        self.kind = kind
        self.steps = steps
        self.stopsOnFailure = stopsOnFailure
        self.concurrency = concurrency
    }
}
