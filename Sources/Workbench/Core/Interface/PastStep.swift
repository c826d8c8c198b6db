package import SortieHTTP

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
