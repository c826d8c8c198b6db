internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// The files of bodies that saving wrote beside endpoints, and that nothing uses after the endpoints are deleted.
struct UnusedBodyFiles {
    let folder: WorkspaceFolder
    let workspace: Workspace
    /// The endpoints that are deleted.
    let endpoints: Set<EndpointID>
    /// The files that are deleted.
    let files: Set<String>

    /// The files, relative to the workspace.
    var names: [String] {
        var names: Set<String> = []
        for endpoint in workspace.endpoints where endpoints.contains(endpoint.id) {
            guard case .file(let path, _) = endpoint.body, WorkspaceFolder.SideFile.hasName(FilePath.name(of: path)), folder.exists(path) else {
                continue
            }
            let file = FilePath.relative(path, to: folder.path, within: folder.path)
            guard file != path, !files.contains(file) else { continue }
            if !isUsed(file, path) { names.insert(file) }
        }
        return names.sorted()
    }

    /// Whether another endpoint sends the file, or another file of the workspace has its name in its text.
    private func isUsed(_ file: String, _ path: String) -> Bool {
        if workspace.endpoints.contains(where: { !endpoints.contains($0.id) && $0.bodyPaths.contains(path) }) { return true }
        let located = workspace.services.map(\.location) + workspace.endpoints.map(\.location) + workspace.runs.map(\.location)
        let others = Set(["workspace.yaml"] + located.compactMap { $0?.file } + workspace.unreadable.map(\.file)).subtracting(files)
        let name = FilePath.name(of: file)
        return others.contains { other in
            let place = FilePath.joining(folder.path, other)
            guard folder.exists(place) else { return false }
            do { return String(decoding: try WorkspaceFile.bytes(at: place), as: UTF8.self).contains(name) } catch {
                // A file that cannot be read may use it.
                return true
            }
        }
    }
}
