package import WorkspaceModel

/// The result of saving an endpoint.
package enum EndpointSaveOutcome: Hashable, Sendable {
    /// The content of the file after saving, which can include changes of another program.
    case saved(Endpoint)
    /// Another program changed the same keys of the file, or removed it; nothing was written. The workspace was read again before.
    case changedOnDisk(String)
    /// Another program changed the file of the body since its text was edited; the file was not written.
    case bodyFileChanged(String)
    /// Nothing was written. The text is the reason.
    case failed(String)
}
