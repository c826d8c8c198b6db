/// Why a workspace could not be read or a file of it not be saved.
public struct WorkspaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, for a program to act on.
    public enum Code: String, Hashable, Sendable {
        /// The folder has no `workspace.yaml`.
        case noWorkspace
        /// A file or folder cannot be read.
        case unreadable
        /// A newer version of the program wrote the file; it is neither read nor replaced.
        case newer
        /// The file was changed by somebody else since it was loaded; nothing was written.
        case changedOnDisk
        /// A new endpoint's file is there already; nothing was written.
        case exists
        /// The target is not a place in the workspace.
        case badTarget
        /// The change cannot be expressed in the file; nothing was written.
        case cannotExpress
        /// The workspace was found, not named, and other users can change it.
        case notOwned
        /// A folder in which the program keeps its state can be changed by other users.
        case notPrivate
        /// A row of the history holds what Sortie does not write; the others can be read.
        case damagedRow
        /// The path leads to a protected place; nothing was read or written.
        case protected
        /// The file system refused to write.
        case unwritable
    }

    /// What happened.
    public var code: Code
    /// The file or folder.
    public var file: String
    /// What is wrong and the way out.
    public var message: String

    /// An error about a file.
    public init(_ code: Code, file: String, _ message: String) {
        self.code = code
        self.file = file
        self.message = message
    }

    /// `FILE: message`.
    public var description: String { "\(file): \(message)" }
}
