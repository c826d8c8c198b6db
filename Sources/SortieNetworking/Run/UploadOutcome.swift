public import SortieHTTP

/// The outcome of one upload of an ``UploadBatch``.
public struct UploadOutcome: Sendable {
    /// The last exchange; nil for an upload that was never sent.
    public internal(set) var exchange: Exchange?
    /// Whether the server confirmed the upload.
    public internal(set) var isConfirmed = false
    /// Why the server has not confirmed the upload; nil for a confirmed one, and for one that was never sent.
    public internal(set) var error: (any Error)?
    /// The local files that were removed.
    public internal(set) var removedFiles: [String] = []
    /// The files that were not removed although it was requested, with the reasons.
    public internal(set) var keptFiles: [String: String] = [:]
}
