/// A queued or running download or upload, in the form that is stored across runs of the program.
///
/// It contains the endpoint at the time of the request with unresolved templates: values that must be fresh are
/// computed when the request is sent, and secrets from templates are not stored.
package struct QueuedTransfer: Hashable, Sendable {
    /// The endpoint to transfer.
    package var endpoint: Endpoint
    /// The environment in use at the time of the request.
    package var environment: String?
    /// The number of the exchange in the history that this transfer repeats unchanged; nil for a request built from
    /// the endpoint.
    package var replays: Int64?
    /// Whether the endpoint of a transfer that repeats an exchange contains masks in place of secrets, so that it cannot be sent without the stored exchange.
    package var isMasked: Bool
    /// The absolute path of a download's destination, a file or a folder in which the server names the file; nil for
    /// an upload.
    package var destination: String?
    /// The final path of the file, once it is known.
    ///
    /// The bytes are in `FILE.part`.
    package var file: String?
    /// The number of transferred bytes when this value was written.
    package var bytes: Int64
    /// The total size in bytes; nil when unknown.
    package var total: Int64?

    /// Creates a transfer without any transferred bytes.
    package init(_ endpoint: Endpoint, environment: String?, destination: String? = nil, replays: Int64? = nil, isMasked: Bool = false) {
        (self.endpoint, self.replays, self.isMasked, self.environment, self.destination) = (endpoint, replays, isMasked, environment, destination)
        bytes = 0
    }

    /// Whether this is an upload.
    package var isUpload: Bool { destination == nil }

    /// Whether `other` downloads the same to the same destination, so that the newer one supersedes this one.
    package func isSame(as other: QueuedTransfer) -> Bool {
        // Other options of the download do not make it another one.
        var (one, another) = (endpoint, other.endpoint)
        (one.download, another.download) = (nil, nil)
        return one == another && environment == other.environment && destination == other.destination && !isUpload
    }
}
