/// An endpoint with unsaved changes.
package struct EndpointDraft: Hashable, Codable, Sendable {
    /// The endpoint in its file when the changes began; nil in drafts that an earlier version of the program stored.
    package var original: Endpoint?
    /// The endpoint with the changes.
    package var edited: Endpoint

    /// The keys of the stored form.
    package enum CodingKeys: String, CodingKey {
        case original, edited
    }

    /// Creates a draft.
    package init(original: Endpoint?, edited: Endpoint) {
        self.original = original
        self.edited = edited
    }
}
