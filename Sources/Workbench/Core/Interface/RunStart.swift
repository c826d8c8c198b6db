package import WorkspaceModel

/// The start of a run in one environment.
package struct RunStart: Hashable, Sendable {
    /// The identity of its events.
    package var id: RunID
    /// The name of the environment; nil in a workspace without environments.
    package var environment: String?
    /// The record to continue from, with the steps to be sent again reset; nil for a new run.
    package var from: RunRecord?

    /// Creates a start.
    package init(_ id: RunID, environment: String?, from: RunRecord? = nil) {
        self.id = id
        self.environment = environment
        self.from = from
    }
}
