internal import SortieHTTP
internal import WorkspaceModel

/// The request of a command with everything that its call needs.
struct ResolvedRequest {
    let request: Request
    let workspace: Workspace
    /// The permissions of the workspace.
    let permission: WorkspacePermission
    /// The expectation of the endpoint; nil where it has none.
    let check: ResponseCheck?
    /// The download settings of the endpoint, with the absolute path of the destination; nil where it has none.
    let download: DownloadSettings?
    /// The same request for further calls.
    let repetition: RequestRepetition
}
