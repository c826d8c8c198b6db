internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

extension Workspace {
    /// Whether an absolute path leads to a file in the workspace, with all links resolved: opening and checking a workspace reads nothing outside of it.
    func leadsInside(_ path: String) -> Bool { RealPath.of(path).hasPrefix(RealPath.of(folder) + "/") }
}
