import Foundation
import WorkspaceModel

@testable import SortieStorage

extension UserFolders {
    /// The folders of the user who runs the tests.
    static let ofProcess = UserFolders(
        environment: ProcessInfo.processInfo.environment, current: FileManager.default.currentDirectoryPath)
}

extension WorkspaceFolder {
    init(path: String) { self.init(path: path, .ofProcess) }

    static func create(at path: String, isForced: Bool = false) throws(WorkspaceError) -> (folder: WorkspaceFolder, files: [String]) {
        try create(at: path, .ofProcess, isForced: isForced)
    }
}

extension WorkspaceLoader {
    init(root: String, totalBytes: Int = WorkspaceLimits.totalBytes) { self.init(root: root, .ofProcess, totalBytes: totalBytes) }
}

extension ProtectedLocation {
    init?(_ path: String, _ access: Access, within folder: String? = nil) { self.init(path, access, .ofProcess, within: folder) }
}

extension SettingsFile {
    static func load(_ path: String) -> Settings { load(path, .ofProcess) }
}
