internal import BodyViews
internal import SortieBase
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// The workspace of the workbench: its files, with the variables of the command line taking precedence.
struct WorkbenchWorkspace: Sendable {
    let folder: WorkspaceFolder
    let overrides: [String: String]

    /// Reads the workspace.
    ///
    /// - Parameter before: The previous workspace, whose settings stay when the file with the settings is unreadable.
    func load(after before: Workspace? = nil) throws -> Workspace {
        var workspace: Workspace
        do { workspace = try folder.load() } catch { throw CommandFailure(error) }
        if let before { workspace = workspace.keepingSettings(of: before) }
        // The variables are set in the environments too, so that the preview of a URL is right.
        for name in overrides.keys {
            workspace.replacedValues[VariableKey(name, .workspace)] = workspace.variables[name]
            for environment in workspace.environments {
                workspace.replacedValues[VariableKey(name, .environment(environment.name))] = environment.variables[name]
            }
        }
        for index in workspace.environments.indices {
            workspace.environments[index].variables.merge(overrides) { _, override in override }
        }
        workspace.variables.merge(overrides) { _, override in override }
        return workspace
    }

    /// The changes that saving an endpoint would make to its file.
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
