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
            (self.target, self.name, self.variables, self.expectation, self.captures) = (target, name, variables, expectation, captures)
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
        (self.name, self.kind, self.steps, self.stopsOnFailure, self.concurrency) = (name, kind, steps, stopsOnFailure, concurrency)
    }
}

/// A value of the response of another endpoint, which a template uses outside of runs.
package struct EarlierValue: Hashable, Sendable {
    /// The endpoint that captures it.
    package var target: String
    /// The name under `capture:`.
    package var capture: String

    /// Creates a reference.
    package init(target: String, capture: String) {
        (self.target, self.capture) = (target, capture)
    }

    /// The value to which a name such as `login.token` or `shop/login.token` refers; nil for another name.
    ///
    /// - Throws: An error that lists the endpoints, where a name without a service is that of several ones.
    init?(named name: String, for user: Endpoint, among endpoints: [Endpoint]) throws(TemplateError) {
        for dot in name.indices where name[dot] == "." {
            let (step, capture) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
            let matching = endpoints.filter { endpoint in
                (endpoint.target == step || FilePath.name(of: endpoint.target) == step) && endpoint.captures.contains { $0.name == capture }
            }
            let near = matching.filter { $0.serviceName == user.serviceName }
            let chosen = matching.filter { $0.target == step } + (near.isEmpty ? matching : near)
            guard let first = chosen.first else { continue }
            if first.target != step, let other = chosen.dropFirst().first {
                throw TemplateError(
                    "{{\(name)}} is captured by \(first.target) and by \(other.target); write {{\(first.target).\(capture)}} or {{\(other.target).\(capture)}}"
                )
            }
            self.init(target: first.target, capture: capture)
            return
        }
        return nil
    }
}

extension String {
    /// The steps that may have captured the value of this name, such as `login` of `login.token`: the text before each dot, of which both names may have some.
    var capturingSteps: [String] { indices.filter { self[$0] == "." }.map { String(self[..<$0]) } }
}

/// A parallel group of a chain: consecutive steps that are sent at the same time, after the steps before them have ended.
package struct StepGroup: Hashable, Sendable {
    /// The number of the group in its chain, from 1.
    package var number: Int
    /// The maximum number of concurrent steps; nil for the default.
    package var concurrency: Int?

    /// Creates a group.
    package init(number: Int, concurrency: Int? = nil) {
        (self.number, self.concurrency) = (number, concurrency)
    }
}

/// How a step of a run is repeated.
package indirect enum StepLoop: Hashable, Sendable {
    /// Once for each item, one after the other; the item is a variable of this name.
    case forEach(variable: String, Items)
    /// Again as long as all conditions hold after the response, at most `limit` times in all, with a pause of `every` in between.
    case repeats(while: [Parameter], every: Duration, limit: Int)

    /// The items of a list.
    package enum Items: Hashable, Sendable {
        /// Literal texts, which contain no templates.
        case list([String])
        /// A template whose value is a JSON array.
        case template(String)
    }

    /// The name of the variable for the item where the file gives none.
    package static let defaultVariable = "item"
    /// The pause between repetitions where the file gives none.
    package static let defaultPause = Duration.seconds(1)
    /// The number of repetitions where the file gives none.
    package static let defaultLimit = 100

    /// The name of the variable for the item; nil for a repetition by conditions.
    package var variable: String? {
        switch self {
        case .forEach(let name, _): name
        case .repeats: nil
        }
    }

    /// The texts with templates.
    package var templates: [String] {
        switch self {
        case .forEach(_, .list): []
        case .forEach(_, .template(let text)): [text]
        case .repeats(let conditions, _, _): conditions.flatMap { [$0.name, $0.value] }
        }
    }

    /// Whether the number of repetitions is known only while the run is in progress.
    package var isOpen: Bool {
        switch self {
        case .forEach(_, .list): false
        case .forEach(_, .template), .repeats: true
        }
    }
}
