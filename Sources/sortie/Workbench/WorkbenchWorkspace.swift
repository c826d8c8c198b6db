internal import Model
internal import Storage
internal import Workbench

/// The workspace as the workbench uses it: the files, with the variables of the command line above them.
struct WorkbenchWorkspace: Sendable {
    let folder: WorkspaceFolder
    let overrides: [String: String]

    /// Reads the workspace.
    ///
    /// - Parameter before: as it was read last, whose settings hold where the file with the settings cannot be used now.
    func load(after before: Workspace? = nil) throws -> Workspace {
        var workspace: Workspace
        do { workspace = try folder.load() } catch { throw CommandFailure(error) }
        if let before { workspace = workspace.keepingSettings(of: before) }
        // In the environments too, so that the preview of a URL shows what will be sent.
        for index in workspace.environments.indices {
            workspace.environments[index].variables.merge(overrides) { _, override in override }
        }
        workspace.variables.merge(overrides) { _, override in override }
        return workspace
    }

    /// What saving an endpoint would change in its file.
    func difference(saving endpoint: Endpoint, replacing original: Endpoint) -> DiffOutcome {
        do {
            let (before, after) = try folder.preview(saving: endpoint, replacing: original)
            let text = "text/plain; charset=utf-8"
            return .lines(
                BodyComparison(
                    ComparedBody(BodyBytes(before), contentType: text),
                    ComparedBody(BodyBytes(after), contentType: text)))
        } catch {
            return .failed("\(error)")
        }
    }
}
