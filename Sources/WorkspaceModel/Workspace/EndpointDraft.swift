/// An endpoint with unsaved changes.
package struct EndpointDraft: Hashable, Sendable {
    /// The endpoint in its file when the changes began; nil where its stored form cannot be read.
    package var original: Endpoint?
    /// The endpoint with the changes.
    package var edited: Endpoint

    /// Creates a draft.
    package init(original: Endpoint?, edited: Endpoint) {
        self.original = original
        self.edited = edited
    }
}
