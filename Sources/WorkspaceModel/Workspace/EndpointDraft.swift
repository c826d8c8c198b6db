/// An endpoint with unsaved changes.
public struct EndpointDraft: Hashable, Sendable {
    /// The endpoint in its file when the changes began; nil in drafts that an earlier version of the program stored.
    public var original: Endpoint?
    /// The endpoint with the changes.
    public var edited: Endpoint

    /// Creates a draft.
    public init(original: Endpoint?, edited: Endpoint) {
        self.original = original
        self.edited = edited
    }
}
