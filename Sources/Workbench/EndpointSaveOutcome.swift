public import Model

/// How saving an endpoint ended.
public enum EndpointSaveOutcome: Hashable, Sendable {
    /// The file has the endpoint as it is here; it can hold changes of another program beside those that were saved.
    case saved(Endpoint)
    /// Another program changed the file in the same places, or removed it; nothing was written. The workspace was read again before.
    case changedOnDisk(String)
    /// Nothing was written; a sentence says why.
    case failed(String)
}
