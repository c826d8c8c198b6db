/// The purpose of a request.
///
/// In addition to the priority, each class has separate rules of admission.
public enum Traffic: String, Hashable, Sendable, CaseIterable {
    /// The user or the caller waits for the response.
    case refresh
    /// An image or a file that completes displayed content.
    case resource
    /// Work in the background; the caller does not wait for the response.
    case background
}
