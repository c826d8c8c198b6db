/// A batch or a chain as its file describes it.
public struct RunDefinition: Hashable, Sendable {
    /// How the steps belong together.
    public enum Kind: String, Hashable, Sendable {
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

        /// A step.
        public init(target: String, name: String, variables: [String: String] = [:]) {
            self.target = target
            self.name = name
            self.variables = variables
        }
    }

    /// The file's name without its ending.
    public var name: String
    /// Batch or chain.
    public var kind: Kind
    /// The steps in order.
    public var steps: [Step]
    /// Whether the first failure stops the rest.
    public var stopsOnFailure: Bool
    /// How many steps of a batch are in flight; nil for the default.
    public var concurrency: Int?
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
