/// A file of a workspace that cannot be used: it cannot be read, is not YAML, or lacks what it must have.
public struct UnreadableFile: Hashable, Sendable {
    /// What the file would describe.
    public enum Content: Hashable, Sendable {
        /// The workspace's settings.
        case workspace
        /// The settings of the service in this folder.
        case service(String)
        /// The endpoint with this target.
        case endpoint(String)
        /// The run of this name.
        case run(String)
    }

    /// What it would describe.
    public var content: Content
    /// Where and what is wrong first.
    public var problem: Problem

    /// A file that cannot be used.
    public init(_ content: Content, _ problem: Problem) {
        self.content = content
        self.problem = problem
    }

    /// The file, relative to the workspace.
    public var file: String { problem.location.file }
}
