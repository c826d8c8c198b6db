/// What a request is asked for, beside its priority: each class is admitted by rules of its own (S2.13, S3.3, S3.14).
public enum Traffic: String, Hashable, Codable, Sendable, CaseIterable {
    /// Somebody waits for it.
    case refresh
    /// An image or a file that completes what is shown already.
    case resource
    /// Nobody waits for it.
    case background
}
