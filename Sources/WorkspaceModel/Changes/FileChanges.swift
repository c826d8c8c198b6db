/// Changes of files that are made together, and that can be reverted.
package struct FileChanges: Hashable, Sendable {
    /// The content of a file, with its permissions.
    package struct Content: Hashable, Sendable {
        /// The bytes.
        package var bytes: [UInt8]
        /// The permissions; nil for those of new files.
        package var mode: UInt32?

        /// Creates a value.
        package init(_ bytes: [UInt8], mode: UInt32? = nil) {
            (self.bytes, self.mode) = (bytes, mode)
        }
    }

    /// One change; paths are relative to the workspace.
    package enum Change: Hashable, Sendable {
        /// A file is created (no content before), replaced, or deleted (no content after).
        case file(String, before: Content?, after: Content?)
        /// A folder gets another path.
        case folder(from: String, to: String)
    }

    /// The changes in their order.
    package var changes: [Change]

    /// Creates a value.
    package init(_ changes: [Change] = []) {
        self.changes = changes
    }

    /// The changes that revert these.
    package var reverted: FileChanges {
        FileChanges(
            changes.reversed().map { change in
                switch change {
                case .file(let path, let before, let after): .file(path, before: after, after: before)
                case .folder(let from, let to): .folder(from: to, to: from)
                }
            })
    }

    /// The number of files that are deleted.
    package var deletedFiles: Int {
        changes.count { if case .file(_, _, after: nil) = $0 { true } else { false } }
    }
}
