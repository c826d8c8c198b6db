import Foundation
import Interchange
import SortieStorage

extension UserFolders {
    /// The folders of the user who runs the tests.
    static let ofProcess = UserFolders(
        environment: ProcessInfo.processInfo.environment, current: FileManager.default.currentDirectoryPath)
}

extension WorkspaceFolder {
    init(path: String) { self.init(path: path, .ofProcess) }
}

extension ImportFolder {
    init(path: String) { self.init(path: path, .ofProcess) }
}

extension ImportTarget {
    init(path: String, source: ImportIdentity) throws(WorkspaceError) { try self.init(path: path, source: source, .ofProcess) }
}
