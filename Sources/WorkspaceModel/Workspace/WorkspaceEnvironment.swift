/// A named set of variables, such as develop, test or release.
public struct WorkspaceEnvironment: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The variables; values may contain `{{templates}}`.
    public var variables: [String: String]

    /// Creates an environment.
    public init(name: String, variables: [String: String] = [:]) {
        self.name = name
        self.variables = variables
    }
}
