/// Finds the capabilities that a workspace requires on this machine, from its parsed files alone (`Security.md` 2).
///
/// Values that the user types on the command line or into a draft are not in ``all``, so they do not require permission.
package struct CapabilityScan: Sendable {
    private let workspace: Workspace
    private let downloadFolder: String?
    /// All capabilities that the files of the workspace require, used by an endpoint or not.
    package let all: Set<Capability>

    /// Scans the files of a workspace.
    ///
    /// Nothing is executed, read or looked up.
    ///
    /// - Parameter downloadFolder: the default folder of downloads; a destination in it requires no permission.
    package init(_ workspace: Workspace, downloadFolder: String? = nil) {
        self.workspace = workspace
        self.downloadFolder = downloadFolder
        all = Self.everything(in: workspace, downloadFolder)
    }

    private static func everything(
        in workspace: Workspace, _ downloadFolder: String?, notePath: @escaping (String) -> Void = { _ in }
    ) -> Set<Capability> {
        // Each environment is scanned separately, because its servers use only its variables.
        let environments: [String?] = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        return environments.reduce(into: []) { found, environment in
            let use = WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder, notePath: notePath)
            found.formUnion(use.ofEverything)
        }
    }

    /// The absolute paths without templates that the files name, and the workspace's folder.
    ///
    /// The targets of symbolic links decide which paths are outside.
    package static func namedPaths(in workspace: Workspace) -> Set<String> {
        var paths: Set<String> = []
        _ = everything(in: workspace, nil) { paths.insert($0) }
        return paths
    }

    /// The part of the capabilities in ``all`` that sending an endpoint uses.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint as it is sent, including the values that the user typed.
    ///   - environment: the chosen environment; nil where there is none.
    package func needed(by endpoint: Endpoint, environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(endpoint).intersection(all)
    }

    /// The capabilities that a run requires with all its steps.
    ///
    /// Those of a run file outside `runs/` are not part of ``all``.
    package func needed(by run: RunDefinition, environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(run)
    }

    /// The capabilities that an endpoint uses beyond those in the files: values that the user typed into it and into variables.
    package func typed(in endpoint: Endpoint, variables: [String: String], environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(endpoint, variables: variables).subtracting(all)
    }
}
