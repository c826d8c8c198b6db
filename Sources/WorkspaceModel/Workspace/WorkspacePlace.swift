/// Where the user left a workspace in the workbench.
package struct WorkspacePlace: Hashable, Sendable {
    /// The absolute path of the folder.
    package var folder: String
    /// The name for display.
    package var name: String
    /// The target of the open endpoint; nil for none.
    package var open: String?
    /// The selected environment; nil for none.
    package var environment: String?

    /// Creates a value.
    package init(folder: String, name: String, open: String? = nil, environment: String? = nil) {
        (self.folder, self.name, self.open, self.environment) = (folder, name, open, environment)
    }
}
