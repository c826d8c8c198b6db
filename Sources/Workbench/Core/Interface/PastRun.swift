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
