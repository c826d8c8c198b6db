internal import Foundation
internal import SortieBase

extension WorkspaceFolder {
    /// Creates a workspace with one environment and without services in a folder that has none yet.
    ///
    /// - Throws: ``WorkspaceError/Code/exists`` where there is already a `workspace.yaml`.
    package static func create(name: String, at path: String) throws(WorkspaceError) -> WorkspaceFolder {
        let folder = WorkspaceFolder(path: path)
        do {
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        } catch {
            throw WorkspaceError(.unwritable, file: path, "the folder cannot be created: \(error.localizedDescription)")
        }
        let value = YAMLValue.mapping([
            .init("name", .text(name.isEmpty ? FilePath.name(of: folder.path) : name)), .init("environment", .text("develop")),
            .init(
                "environments",
                .mapping([.init("develop", .mapping([.init("variables", .mapping([.init("host", .text("127.0.0.1:8080"))]))]))])),
        ])
        let text = YAMLText.block(value, indentation: 0) + "\n"
        try AtomicFile.create(Array(text.utf8), at: FilePath.joining(folder.path, "workspace.yaml"))
        return folder
    }
}
