package import SortieBase

/// The reason why a workspace could not be read, or a file of it could not be saved.
package struct WorkspaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    package enum Code: String, Hashable, Sendable {
        /// The folder has no `workspace.yaml`.
        case noWorkspace
        /// A file or folder cannot be read.
        case unreadable
        /// A newer version of the program wrote the file; it is neither read nor replaced.
        case newer
        /// The file was changed by another program since it was loaded; nothing was written.
        case changedOnDisk
        /// The file of a new endpoint exists already; nothing was written.
        case exists
        /// The target is not a valid path in the workspace.
        case badTarget
        /// The change cannot be expressed in the file; nothing was written.
        case cannotExpress
        /// The workspace was found by searching, and other users can change it.
        case notOwned
        /// Other users can change a folder of the program's state.
        case notPrivate
        /// A row of the history has content that Sortie does not write; the other rows can be read.
        case damagedRow
        /// The path leads out of the workspace, usually through a link; nothing was written.
        case outside
        /// The path leads to a protected location; nothing was read or written.
        case protected
        /// The file system refused to read a file, whose content is therefore unknown.
        case inaccessible
        /// The file system refused to write.
        case unwritable
        /// The file was written or moved, but the disk did not confirm it; a power failure may revert it.
        case unsynced
    }

    /// The kind of failure.
    package var code: Code
    /// The file or folder.
    package var file: String
    /// The description of the problem and its remedy.
    package var message: String
    /// What the user can do about it; nil where the message says it.
    package var remedy: Diagnostic.Remedy?

    /// Creates an error about a file.
    package init(_ code: Code, file: String, _ message: String, remedy: Diagnostic.Remedy? = nil) {
        (self.code, self.file, self.message, self.remedy) = (code, file, message, remedy)
    }

    /// Creates the error about a file in which another program changed the same places.
    init(conflicts places: [String], in file: String) {
        self.init(
            .changedOnDisk, file: file,
            "the file was changed by another program since it was loaded, in the same places: \(places.joined(separator: ", "))")
    }

    /// `FILE: message`.
    package var description: String { "\(file): \(message)" }

    /// The file, the message and the remedy for users of the workbench.
    package var workbenchSentence: String { remedy?.workbench(after: description) ?? description }
}
