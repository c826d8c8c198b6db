/// Finds what a workspace wants to do on this machine, in its parsed files alone (`Security.md` 2).
///
/// Values that a person types on the command line or into a draft are not in ``all``, so they never require permission.
public struct CapabilityScan: Sendable {
    private let workspace: Workspace
    private let downloadFolder: String?
    /// Everything that the files of the workspace ask for, whether an endpoint uses it or not.
    public let all: Set<Capability>

    /// Scans the files of a workspace; nothing is executed, read or looked up.
    ///
    /// - Parameter downloadFolder: where downloads go by default; a destination in it requires no permission.
    public init(_ workspace: Workspace, downloadFolder: String? = nil) {
        self.workspace = workspace
        self.downloadFolder = downloadFolder
        all = Self.everything(in: workspace, downloadFolder)
    }

    private static func everything(
        in workspace: Workspace, _ downloadFolder: String?, notePath: @escaping (String) -> Void = { _ in }
    ) -> Set<Capability> {
        // Each environment separately: its servers use its variables only.
        let environments: [String?] = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        return environments.reduce(into: []) { found, environment in
            let use = WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder, notePath: notePath)
            found.formUnion(use.ofEverything)
        }
    }

    /// The paths that the files name, absolute and without templates, and the workspace's folder: where links lead decides what is outside.
    public static func namedPaths(in workspace: Workspace) -> Set<String> {
        var paths: Set<String> = []
        _ = everything(in: workspace, nil) { paths.insert($0) }
        return paths
    }

    /// What sending an endpoint requires: of all that the files ask for, the part that it uses.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint as it is sent, with what the user typed.
    ///   - environment: the chosen environment; nil where there is none.
    public func needed(by endpoint: Endpoint, environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(endpoint).intersection(all)
    }

    /// What a run requires, with all its steps; that of a file which is not in `runs/` is not part of ``all``.
    public func needed(by run: RunDefinition, environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(run)
    }

    /// What an endpoint uses beside what the files ask for: what the user typed into it and into variables.
    public func typed(in endpoint: Endpoint, variables: [String: String], environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(endpoint, variables: variables).subtracting(all)
    }
}
