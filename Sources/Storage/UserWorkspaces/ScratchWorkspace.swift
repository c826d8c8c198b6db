internal import Foundation
internal import SortieBase
package import WorkspaceModel

/// The workspace for requests outside of any other workspace: `$XDG_DATA_HOME/sortie/scratch`.
///
/// Only the user writes to it, so its capabilities are permitted.
package enum ScratchWorkspace {
    /// The folder of the service with the typed requests.
    package static let service = "requests"

    /// The path of the workspace, which may not exist yet.
    package static func path(_ folders: UserFolders) -> String { DataFolder.path(folders) + "/scratch" }

    /// Whether a workspace is the scratch workspace.
    package static func contains(_ folder: WorkspaceFolder) -> Bool { RealPath.of(folder.path) == RealPath.of(path(folder.folders)) }

    /// Opens the workspace, and creates its missing files.
    ///
    /// - Throws: Also where other users could change the folder.
    package static func open(_ folders: UserFolders) throws(WorkspaceError) -> WorkspaceFolder { try open(at: path(folders), folders) }

    package static func open(at path: String, _ folders: UserFolders) throws(WorkspaceError) -> WorkspaceFolder {
        try StateFolder.make(path)
        let folder = WorkspaceFolder(path: path, folders)
        for file in files where !FileManager.default.fileExists(atPath: FilePath.joining(path, file.file)) {
            do throws(WorkspaceError) { try folder.write([file]) } catch {
                // Another program that started at the same time wrote the same file.
                guard error.code == .exists else { throw error }
            }
        }
        return folder
    }

    /// The endpoint for a new request: one that was not saved, else a new one.
    ///
    /// - Parameters:
    ///   - workspace: The loaded scratch workspace.
    ///   - unsaved: The unsaved edits of earlier sessions.
    /// - Returns: The endpoint, and whether its file was written, so that the workspace must be loaded again.
    package static func newRequest(
        in workspace: Workspace, unsaved: [EndpointDraft], _ folders: UserFolders
    ) throws(WorkspaceError) -> (id: EndpointID, isNew: Bool) {
        let path = path(folders)
        let edited = Set(unsaved.map(\.edited.target))
        let empty = workspace.service(service)?.endpoints.first { endpoint in
            endpoint.path.isEmpty && endpoint.query.isEmpty && endpoint.headers.isEmpty && endpoint.body == .none
        }
        if let empty { return (empty.id, false) }
        let names = (1...WorkspaceLimits.files).lazy.map { $0 == 1 ? "request" : "request-\($0)" }
        let used = edited.union(workspace.unreadable.map { FilePath.yamlStem($0.file) ?? $0.file })
        guard let name = names.first(where: { workspace.endpoint("\(service)/\($0)") == nil && !used.contains("\(service)/\($0)") }) else {
            throw WorkspaceError(.exists, file: "\(path)/\(service)", "there are too many requests; delete some")
        }
        let title = name.replacing("request", with: "Request").replacing("-", with: " ")
        let endpoint = Endpoint(target: "\(service)/\(name)", name: title, path: "")
        return (try WorkspaceFolder(path: path, folders).save(endpoint, replacing: nil).id, true)
    }

    /// The files of the workspace before anything is typed, `workspace.yaml` last.
    private static let files: [(file: String, text: String)] = [
        (
            "\(service)/service.yaml",
            """
            # The requests that you type where there is no workspace. Their paths are complete URLs, so the service needs no servers.
            name: Requests

            """
        ),
        (
            "workspace.yaml",
            """
            # Your scratch workspace, which Sortie opens where there is no other one. `sortie init` makes a workspace for a project.
            name: Scratch

            """
        ),
    ]
}

/// The folder of the user for workspaces that Sortie creates (XDG Base Directory Specification).
package enum DataFolder {
    /// The path of the folder.
    package static func path(_ folders: UserFolders) -> String { folders.data + "/sortie" }
}
