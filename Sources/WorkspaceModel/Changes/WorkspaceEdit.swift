/// A change of the files of a workspace.
package enum WorkspaceEdit: Hashable, Sendable {
    /// Creates an endpoint, and its service where that is new.
    case createEndpoint(Endpoint, service: NewService?)
    /// Creates a service without endpoints.
    case createService(NewService)
    /// Creates a run that sends an endpoint.
    case createRun(String, RunDefinition.Kind, sending: EndpointID)
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
    /// Sets a variable or the source of a secret, and creates it where it is new.
    ///
    /// - Parameter from: The definition as the user saw it, which must be that in the file; nil for a new one.
    case setVariable(VariableKey, VariableValue, from: VariableValue?)
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
