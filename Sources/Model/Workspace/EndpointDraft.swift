/// An endpoint with changes that are not saved.
public struct EndpointDraft: Hashable, Codable, Sendable {
    /// The endpoint as its file had it when the changes began; nil where an earlier version of the program kept the draft.
    public var original: Endpoint?
    /// The endpoint with the changes.
    public var edited: Endpoint

    /// The names under which it is kept.
    public enum CodingKeys: String, CodingKey {
        case original, edited
    }

    /// A draft.
    public init(original: Endpoint?, edited: Endpoint) {
        self.original = original
        self.edited = edited
    }
}
