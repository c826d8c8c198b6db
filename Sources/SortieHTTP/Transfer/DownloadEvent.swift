/// An event of one download.
///
/// Events are in order, and exactly one ``finished(_:)`` is the last.
public enum DownloadEvent: Hashable, Sendable {
    /// The state changed.
    case changed(TransferState)
    /// The partial file is beside this file. The response may still give the file another name.
    case placed(String)
    /// Bytes arrived; reported a few times per second.
    case progressed(DownloadProgress)
    /// This number of bytes is durable on the disk.
    case saved(Int64)
    /// A decision with its reason.
    case decided(Decision)
    /// The end.
    case finished(DownloadResult)
}

/// The progress of a download.
public struct DownloadProgress: Hashable, Sendable {
    /// Received bytes.
    public var received: Int64
    /// The size of the file in bytes; nil when unknown.
    public var total: Int64?
    /// The current rate in bytes per second.
    public var rate: Double
    /// The average rate in bytes per second since the start.
    public var average: Double
    /// The estimated remaining time in seconds; nil when unknown.
    public var remaining: Double?
    /// The segments in order, where several connections fetch the file; empty for one connection.
    public var segments: [DownloadSegment]

    /// Creates a progress report.
    package init(
        received: Int64, total: Int64?, rate: Double = 0, average: Double = 0, remaining: Double? = nil, segments: [DownloadSegment] = []
    ) {
        (self.received, self.total, self.rate, self.average, self.remaining) = (received, total, rate, average, remaining)
        self.segments = segments
    }
}

/// The result of a download.
public struct DownloadResult: Hashable, Sendable {
    /// The final state; always a terminal one.
    public var state: TransferState
    /// The path of the finished file, or the path that it would have.
    public var file: String
    /// The number of received bytes.
    public var bytes: Int64
    /// The number of bytes of an earlier run that were reused; 0 when the download started from its first byte.
    public var resumedAt: Int64
    /// The number of restarts from the first byte.
    public var restarts: Int
    /// The digest of the file, where it was computed.
    public var digest: FileDigest?
    /// Whether only the end of the connection marked the end of the file.
    public var isLengthUnverified: Bool
    /// Whether a later run may continue the received bytes, where they were kept.
    package var canResume: Bool
    /// The last request with its response, and all attempts.
    public var exchange: Exchange

    /// Creates a result.
    package init(
        state: TransferState, file: String, bytes: Int64, resumedAt: Int64, restarts: Int, digest: FileDigest? = nil,
        isLengthUnverified: Bool = false, canResume: Bool = true, exchange: Exchange
    ) {
        (self.state, self.file, self.bytes, self.resumedAt, self.restarts) = (state, file, bytes, resumedAt, restarts)
        (self.digest, self.isLengthUnverified, self.canResume, self.exchange) = (digest, isLengthUnverified, canResume, exchange)
    }

    /// Why there is no file; nil otherwise.
    public var error: NetworkError? {
        switch state {
        case .failed(let error, _): error
        case .cancelled: NetworkError(.cancelled, "the download was cancelled")
        case .superseded: NetworkError(.superseded, "a newer download of the same file replaced this one")
        default: nil
        }
    }
}
