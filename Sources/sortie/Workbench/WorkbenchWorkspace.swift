internal import Model
internal import Storage

/// The workspace as the workbench uses it: the files, with the variables of the command line above them.
struct WorkbenchWorkspace: Sendable {
    let folder: WorkspaceFolder
    let overrides: [String: String]

    func load() throws -> Workspace {
        var workspace: Workspace
        do { workspace = try folder.load() } catch { throw CommandFailure(error) }
        // In the environments too, so that the preview of a URL shows what will be sent.
        for index in workspace.environments.indices {
            workspace.environments[index].variables.merge(overrides) { _, override in override }
        }
        workspace.variables.merge(overrides) { _, override in override }
        return workspace
    }
}
