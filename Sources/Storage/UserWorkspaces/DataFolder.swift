internal import Foundation

/// The folder of the user for workspaces that Sortie creates (XDG Base Directory Specification).
package enum DataFolder {
    /// The path of the folder.
    package static func path(_ folders: UserFolders) -> String { folders.data + "/sortie" }

    /// Creates a folder in it that only the user can access.
    ///
    /// - Throws: Also where other users could change its content.
    static func make(_ folder: String) throws(WorkspaceError) {
        do { try StateFolder.make(folder) } catch let error as WorkspaceError { throw error } catch {
            throw WorkspaceError(.unwritable, file: folder, "the folder cannot be created: \(error.localizedDescription)")
        }
    }
}
