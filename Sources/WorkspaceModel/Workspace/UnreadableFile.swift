public import SortieBase

/// A file of a workspace that cannot be used: it cannot be read, is not YAML, or lacks required content.
public struct UnreadableFile: Hashable, Sendable {
    /// The intended content of the file.
    public enum Content: Hashable, Sendable {
        /// The settings of the workspace.
        case workspace
        /// The settings of the service in this folder.
        case service(String)
        /// An endpoint.
        case endpoint(EndpointID)
        /// The run with this name.
        case run(String)
    }

    /// The intended content of the file.
    public var content: Content
    /// The first error, with its location.
    public var problem: Diagnostic

    /// Creates a value.
    public init(_ content: Content, _ problem: Diagnostic) {
        self.content = content
        self.problem = problem
    }

    /// The file, relative to the workspace.
    public var file: String { problem.location.file }
}
