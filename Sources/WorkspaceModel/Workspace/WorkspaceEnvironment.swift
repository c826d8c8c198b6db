/// A named set of variables, such as develop, test or release.
package struct WorkspaceEnvironment: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The variables; values may contain `{{templates}}`.
    package var variables: [String: String]

    /// Creates an environment.
    package init(name: String, variables: [String: String] = [:]) {
        self.name = name
        self.variables = variables
    }
}
