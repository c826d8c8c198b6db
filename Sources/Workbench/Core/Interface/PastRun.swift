package import SortieHTTP

/// A run whose responses are compared with those of the previous run.
package struct PastRun: Hashable, Sendable {
    /// A step that was sent.
    package struct Step: Hashable, Sendable {
        /// The name of the step.
        package var name: String
        /// Its exchange.
        package var id: RequestID
    }

    /// The name of the run.
    package var run: String
    /// The environment of the run.
    package var environment: String?
    /// The folder of the workspace.
    package var workspace: String
    /// The steps, in the order of the run.
    package var steps: [Step]
    /// The differences that do not count (`WorkspaceModel/RunDefinition/ignored`).
    package var ignored: [String]
    /// The names that the workspace masks.
    package var redacted: [String]
}

/// A step of a run in the history, to be compared with the same step of an earlier run.
package struct PastStep: Hashable, Sendable {
    /// The name of the run.
    package var run: String
    /// The name of the step.
    package var step: String
    /// The environment of the run.
    package var environment: String?
    /// The folder of the workspace.
    package var workspace: String
    /// The exchange of the step; nil for the last one in the history.
    package var id: RequestID?
    /// The differences that do not count (`WorkspaceModel/RunDefinition/ignored`).
    package var ignored: [String]
}
