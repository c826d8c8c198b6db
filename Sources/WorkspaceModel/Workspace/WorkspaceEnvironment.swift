/// A named set of variables, such as develop, test or release, with its own trust.
package struct WorkspaceEnvironment: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The variables; values may contain `{{templates}}`.
    package var variables: [String: String]
    /// The trust settings for all services; they take precedence over those of the workspace.
    package var trust = TrustSettings()

    /// Creates an environment.
    package init(name: String, variables: [String: String] = [:]) {
        self.name = name
        self.variables = variables
    }
}
