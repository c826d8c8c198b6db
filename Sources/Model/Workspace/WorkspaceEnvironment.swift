/// A named set of variables: develop, test, release.
public struct WorkspaceEnvironment: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The variables; values may hold `{{templates}}`.
    public var variables: [String: String]

    /// An environment.
    public init(name: String, variables: [String: String] = [:]) {
        self.name = name
        self.variables = variables
    }
}
