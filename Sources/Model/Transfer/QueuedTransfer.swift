/// A download or an upload that was asked for and has not ended, as it is kept over the end of the program.
///
/// It keeps the endpoint as it was when it was asked for, with its templates unresolved: what must be fresh is made when it goes out, and secrets that
/// come from templates are not in it.
public struct QueuedTransfer: Hashable, Codable, Sendable {
    /// What is transferred.
    public var endpoint: Endpoint
    /// The environment that it was asked for in.
    public var environment: String?
    /// The number of the exchange in the history that it sends again as it was; nil for one that is made of its endpoint.
    public var replays: Int64?
    /// Where a download goes, absolute: a folder in which the server names the file, or a file; nil for an upload.
    public var destination: String?
    /// The file that its part becomes, as soon as that is known: the bytes are in `FILE.part`.
    public var file: String?
    /// Bytes that were here, or there, when this was written.
    public var bytes: Int64
    /// All bytes; nil when not known.
    public var total: Int64?

    /// A transfer of which nothing has gone or come.
    public init(_ endpoint: Endpoint, environment: String?, destination: String? = nil, replays: Int64? = nil) {
        self.endpoint = endpoint
        self.replays = replays
        self.environment = environment
        self.destination = destination
        bytes = 0
    }

    /// Whether bytes go up.
    public var isUpload: Bool { destination == nil }

    /// Whether this is asked for once more with another one: then the newer one takes over (S2.35).
    public func isSame(as other: QueuedTransfer) -> Bool {
        endpoint == other.endpoint && environment == other.environment && destination == other.destination && !isUpload
    }
}
