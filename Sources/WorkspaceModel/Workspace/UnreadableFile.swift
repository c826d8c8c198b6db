package import SortieBase

/// A file of a workspace that cannot be used: it cannot be read, is not YAML, or lacks required content.
package struct UnreadableFile: Hashable, Sendable {
    /// The intended content of the file.
    package enum Content: Hashable, Sendable {
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
    package var content: Content
    /// The first error, with its location.
    package var problem: Diagnostic

    /// Creates a value.
    package init(_ content: Content, _ problem: Diagnostic) {
        (self.content, self.problem) = (content, problem)
    }

    /// The file, relative to the workspace.
    package var file: String { problem.location.file }
}
