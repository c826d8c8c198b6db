package import SortieHTTP

/// The result of recording a body as a snapshot.
package enum SnapshotOutcome: Hashable, Sendable {
    /// The file has the body: what was done, and the checks of the response with that file.
    case recorded(String, checks: [ExchangeCheck])
    /// Nothing was written, because this file has another body.
    case exists(String)
    /// Nothing was written. The text is the reason.
    case failed(String)
}
