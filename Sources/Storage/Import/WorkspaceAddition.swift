package import WorkspaceModel

/// Content from a source that is added to a workspace, with the names of its files.
package struct WorkspaceAddition: Sendable {
    /// The services with folders, the endpoints with targets, environments, variables, secrets and runs.
    package var workspace: Workspace
    /// The description of a new workspace.
    package var summary: String?
    /// The identity in the source of every service (`shop/service`), endpoint and run (`runs/checkout`), by the path of its file without the ending.
    package var ids: [String: String]
    /// Texts that become comments at the end of a file, by the target of the endpoint.
    package var notes: [String: [String]]
    /// The bytes of bodies by the path of their file.
    package var bodies: [String: [UInt8]]
    /// The source.
    package var source: ImportIdentity

    /// Creates an addition.
    package init(
        workspace: Workspace, summary: String?, ids: [String: String], notes: [String: [String]], bodies: [String: [UInt8]], source: ImportIdentity
    ) {
        (self.workspace, self.summary, self.ids, self.notes, self.bodies, self.source) = (workspace, summary, ids, notes, bodies, source)
    }
}

/// What identifies a source, so that a later import of it updates the files of an earlier one.
package struct ImportIdentity: Hashable, Sendable {
    /// The name of the format.
    package var format: String
    /// The name of the file; empty where the items identify themselves, as those of standard input do.
    package var name: String

    /// Creates an identity.
    package init(format: String, name: String) {
        (self.format, self.name) = (format, name)
    }
}

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
