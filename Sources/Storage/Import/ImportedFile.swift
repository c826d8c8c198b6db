/// The result of an import for one file.
package struct ImportedFile: Hashable, Sendable {
    /// What happened to the file.
    package enum Outcome: String, Hashable, Sendable {
        /// The file is new.
        case created
        /// The file of an earlier import has the new content.
        case updated
        /// The content is the same.
        case unchanged
        /// The file stays as the user changed it; ``ImportedFile/reason`` says how to replace it.
        case kept
    }

    /// The path relative to the workspace.
    package var file: String
    /// What happened.
    package var outcome: Outcome
    /// Why a file is kept, or which members of it are; nil otherwise.
    package var reason: String?
}
