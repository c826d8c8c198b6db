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

/// A change of the files of a workspace.
package enum WorkspaceEdit: Hashable, Sendable {
    /// Creates an endpoint, and its service where that is new.
    case createEndpoint(Endpoint, service: NewService?)
    /// Creates a service without endpoints.
    case createService(NewService)
    /// Creates a run without parallel groups, and saves endpoints that it sends: new ones, and changed ones with what their files have now.
    case createRun(RunDefinition, saving: [EndpointDraft])
    /// Arranges, adds, changes and removes steps of a run.
    ///
    /// A step of the new run is that of the old one with the same location; a step without a location is new.
    ///
    /// - Parameter from: The run as the user saw it, which must be that in the file.
    case changeRun(from: RunDefinition, to: RunDefinition)
    /// Creates an environment with the variables, the trust and the servers of another one; nil for an empty one.
    case createEnvironment(String, from: String?)
    /// Renames or moves an item; runs and plugins that refer to it follow.
    ///
    /// - Parameter label: The new name for display of an endpoint or a service; nil keeps it.
    case move(WorkspaceItem, to: String, label: String?)
    /// Copies an item.
    case duplicate(WorkspaceItem, as: String)
    /// Deletes an item.
    case delete(WorkspaceItem)
    /// Changes the settings of a service to those of the first one; the second is the service as the user saw it.
    ///
    /// Settings in which the two do not differ keep the values that the file has.
    ///
    /// - Parameter files: New files that the settings name, relative to the workspace; one with the same content may exist.
    case changeService(Service, from: Service, files: [String: [UInt8]] = [:])
    /// Sets a variable or the source of a secret, and creates it where it is new.
    ///
    /// - Parameter from: The definition as the user saw it, which must be that in the file; nil for a new one.
    case setVariable(VariableKey, VariableValue, from: VariableValue?)
    /// Declares secrets, and replaces or deletes the variables that had their values.
    case declareSecrets(SecretDeclarations)
    /// Deletes the definitions of a variable in these places.
    case deleteVariable(String, [VariableLayer])
    /// Renames a variable in all places that define it.
    ///
    /// - Parameter changesUses: Whether the templates that use it, and the `with` of steps, follow.
    case renameVariable(String, to: String, changesUses: Bool)
    /// Makes changes that are known already, such as those of an import or of an undo, unless a file was changed since they were determined.
    case apply(FileChanges)
}

/// The value of a variable, or the source of a secret.
package enum VariableValue: Hashable, Sendable {
    /// A text with unresolved templates.
    case text(String)
    /// The source of a secret.
    case secret(SecretSource)
}

/// A service that is to be created.
package struct NewService: Hashable, Sendable {
    /// The folder.
    package var folder: String
    /// The name for display.
    package var name: String
    /// The server in every environment; empty for none.
    package var server: String

    /// Creates a value.
    package init(folder: String, name: String, server: String) {
        (self.folder, self.name, self.server) = (folder, name, server)
    }
}

/// An item of a workspace that has a name and can be renamed, moved, duplicated and deleted.
package enum WorkspaceItem: Hashable, Sendable {
    /// An endpoint.
    case endpoint(EndpointID)
    /// A folder of endpoints below a service, by its path such as `shop/orders`.
    case folder(String)
    /// A service, by its folder.
    case service(String)
    /// A run, by its name.
    case run(String)
    /// An environment, by its name.
    case environment(String)

    /// The name in the files: a path without the file extension, or the name of an environment.
    package var name: String {
        switch self {
        case .endpoint(let id): id.path
        case .folder(let name), .service(let name), .run(let name), .environment(let name): name
        }
    }

    /// The same kind of item with another name.
    package func named(_ name: String) -> WorkspaceItem {
        switch self {
        case .endpoint: .endpoint(EndpointID(name))
        case .folder: .folder(name)
        case .service: .service(name)
        case .run: .run(name)
        case .environment: .environment(name)
        }
    }

    /// The kind in messages.
    package var kind: String {
        switch self {
        case .endpoint: "endpoint"
        case .folder: "folder"
        case .service: "service"
        case .run: "run"
        case .environment: "environment"
        }
    }

    /// The reason why the name cannot be used for this kind of item; nil for a usable name.
    package var nameProblem: String? {
        let isPath = if case .endpoint = self { true } else if case .folder = self { true } else { false }
        if case .environment = self {
            if name.isEmpty { return "enter a name" }
            if name.contains("/") { return "the name of an environment has no “/”" }
            return name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } ? "a name has no control characters" : nil
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts {
            if part.isEmpty { return name.isEmpty ? "enter a name" : "“/” separates two names; write a name on each side" }
            if part.first == UInt8(ascii: ".") { return "a name cannot begin with a dot" }
            if part.count > 200 { return "a name has at most 200 bytes" }
            if part.contains(where: { $0 < 0x20 || $0 == 0x7f }) { return "a name has no control characters" }
        }
        switch self {
        case .service where parts.count > 1: return "a service is a folder beside the others; its name has no “/”"
        case .service("runs"): return "the folder runs contains the runs; choose another name"
        case .endpoint where parts.count < 2: return "an endpoint is in a service; write SERVICE/NAME"
        case .endpoint where name.hasSuffix("/service"): return "the file service.yaml describes the service; choose another name"
        case .folder where parts.count < 2: return "a folder is in a service; write SERVICE/NAME"
        default: break
        }
        return isPath && parts.first.map { Substring($0) } == "runs" ? "the folder runs contains the runs; choose another name" : nil
    }
}
