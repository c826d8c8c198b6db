package import SortieBase

/// A batch or a chain as its file describes it.
package struct RunDefinition: Hashable, Sendable {
    /// The relation of the steps.
    package enum Kind: String, Hashable, Sendable {
        /// The steps run concurrently and independently.
        case batch
        /// The steps run one after the other and can use earlier captures.
        case chain
    }

    /// One step.
    package struct Step: Hashable, Sendable {
        /// The target of the endpoint to send.
        package var target: String
        /// The name under which later steps refer to its captures.
        package var name: String
        /// The variables of this step.
        package var variables: [String: String]
        /// The expected response; nil for the expectation of the endpoint.
        package var expectation: Expectation?
        /// Captures in addition to those of the endpoint; they take precedence over captures of the same name.
        package var captures: [Capture]
        /// The conditions under which the step is sent: unparsed ``Condition`` values by the name of a variable or capture; all must hold.
        package var conditions: [Parameter] = []
        /// How the step is repeated; nil sends it once.
        package var loop: StepLoop?
        /// The parallel group of the step; nil for a step that is sent by itself, and in a batch.
        package var group: StepGroup?
        /// The location of the step.
        package var location: SourceLocation?

        /// Creates a step.
        package init(
            target: String, name: String, variables: [String: String] = [:], expectation: Expectation? = nil, captures: [Capture] = []
        ) {
            self.target = target
            self.name = name
            self.variables = variables
            self.expectation = expectation
            self.captures = captures
        }

        /// The texts with templates, without those of the expectation.
        package var templates: [String] {
            Array(variables.values) + conditions.flatMap { [$0.name, $0.value] } + (loop?.templates ?? [])
        }
    }

    /// The name of the file without its extension.
    package var name: String
    /// Batch or chain.
    package var kind: Kind
    /// The steps in order.
    package var steps: [Step]
    /// Whether the first failure stops the run; otherwise a chain with data rows continues with the next row.
    package var stopsOnFailure: Bool
    /// The maximum number of concurrent steps of a batch; nil for the default.
    package var concurrency: Int?
    /// The absolute path of a file with data rows, for each of which the run is repeated; nil runs it once.
    package var dataFile: String?
    /// The names of the data columns; nil where the file is outside the workspace and is not read while loading.
    package var dataColumns: [String]? = []
    /// What is ignored when the responses are compared with those of an earlier run (``CompareRules/init(parsing:)``).
    package var ignored: [String] = []
    /// The location of the file.
    package var location: SourceLocation?

    /// Creates a run.
    package init(name: String, kind: Kind, steps: [Step], stopsOnFailure: Bool = true, concurrency: Int? = nil) {
        self.name = name
        self.kind = kind
        self.steps = steps
        self.stopsOnFailure = stopsOnFailure
        self.concurrency = concurrency
    }
}
