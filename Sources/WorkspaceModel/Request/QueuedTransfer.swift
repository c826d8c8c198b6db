/// A queued or running download or upload, in the form that is stored across runs of the program.
///
/// It contains the endpoint at the time of the request with unresolved templates: values that must be fresh are
/// computed when the request is sent, and secrets from templates are not stored.
public struct QueuedTransfer: Hashable, Sendable {
    /// The endpoint to transfer.
    public var endpoint: Endpoint
    /// The environment in use at the time of the request.
    public var environment: String?
    /// The number of the exchange in the history that this transfer repeats unchanged; nil for a request built from
    /// the endpoint.
    public var replays: Int64?
    /// Whether the endpoint of a transfer that repeats an exchange contains masks in place of secrets, so that it cannot be sent by itself.
    public var isMasked: Bool
    /// The absolute path of a download's destination, a file or a folder in which the server names the file; nil for
    /// an upload.
    public var destination: String?
    /// The final path of the file, once it is known.
    ///
    /// The bytes are in `FILE.part`.
    public var file: String?
    /// The number of transferred bytes when this value was written.
    public var bytes: Int64
    /// The total size in bytes; nil when unknown.
    public var total: Int64?

    /// Creates a transfer without any transferred bytes.
    public init(_ endpoint: Endpoint, environment: String?, destination: String? = nil, replays: Int64? = nil, isMasked: Bool = false) {
        self.endpoint = endpoint
        self.replays = replays
        self.isMasked = isMasked
        self.environment = environment
        self.destination = destination
        bytes = 0
    }

    /// Whether this is an upload.
    public var isUpload: Bool { destination == nil }

    /// Whether `other` downloads the same to the same destination, so that the newer one supersedes this one (S2.35).
    public func isSame(as other: QueuedTransfer) -> Bool {
        endpoint == other.endpoint && environment == other.environment && destination == other.destination && !isUpload
    }
}
