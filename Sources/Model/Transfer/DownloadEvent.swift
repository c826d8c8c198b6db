/// What happens during one download, in order; exactly one ``finished(_:)`` ends it.
public enum DownloadEvent: Hashable, Sendable {
    /// It came into another state.
    case changed(DownloadState)
    /// Its part is beside this file; the server's answer may still give the file another name.
    case placed(String)
    /// Bytes arrived; told a few times a second.
    case progressed(DownloadProgress)
    /// So many bytes are safe on the disk.
    case saved(Int64)
    /// Something was decided: why is in its text.
    case decided(Decision)
    /// The end.
    case finished(DownloadResult)
}

/// How far a download is.
public struct DownloadProgress: Hashable, Sendable {
    /// Bytes that are here.
    public var received: Int64
    /// All bytes; nil when not known.
    public var total: Int64?
    /// Bytes a second now.
    public var rate: Double
    /// Bytes a second since it began.
    public var average: Double
    /// Seconds that are left; nil when nobody can say.
    public var remaining: Double?
    /// The stretches in their order, where several connections fetch the file; empty for one stream.
    public var segments: [DownloadSegment]

    /// Progress.
    public init(
        received: Int64, total: Int64?, rate: Double = 0, average: Double = 0, remaining: Double? = nil, segments: [DownloadSegment] = []
    ) {
        self.received = received
        self.total = total
        self.rate = rate
        self.average = average
        self.remaining = remaining
        self.segments = segments
    }
}

/// What came of a download.
public struct DownloadResult: Hashable, Sendable {
    /// How it ended; always a terminal state.
    public var state: DownloadState
    /// The path of the file, or of the one that it would have been.
    public var file: String
    /// How many bytes are here.
    public var bytes: Int64
    /// How many bytes were here when it began, so that they were not asked for again; 0 when it began afresh.
    public var resumedAt: Int64
    /// How often it began again with the first byte.
    public var restarts: Int
    /// The digest of the file, where it was computed.
    public var digest: FileDigest?
    /// Whether nothing told where the file ends but the end of the connection.
    public var isLengthUnverified: Bool
    /// The last request with its answer, and all attempts.
    public var exchange: Exchange

    /// A result.
    public init(
        state: DownloadState, file: String, bytes: Int64, resumedAt: Int64, restarts: Int, digest: FileDigest? = nil,
        isLengthUnverified: Bool = false, exchange: Exchange
    ) {
        self.state = state
        self.file = file
        self.bytes = bytes
        self.resumedAt = resumedAt
        self.restarts = restarts
        self.digest = digest
        self.isLengthUnverified = isLengthUnverified
        self.exchange = exchange
    }

    /// Why there is no file.
    public var error: NetworkError? {
        switch state {
        case .failed(let error, _): error
        case .cancelled: NetworkError(.cancelled, "the download was cancelled")
        case .superseded: NetworkError(.superseded, "a newer download of the same file took over")
        default: nil
        }
    }
}
