/// A range of a file that one of several connections fetches (`ResumeRules.md` 5.7).
public struct DownloadSegment: Hashable, Sendable {
    /// The offset of the first byte in the file.
    public var start: Int64
    /// The offset after the last byte.
    public var end: Int64
    /// The number of received bytes from the start of the segment.
    public var received: Int64

    /// Creates a segment.
    public init(start: Int64, end: Int64, received: Int64 = 0) {
        self.start = start
        self.end = end
        self.received = received
    }

    /// The offset of the first missing byte.
    public var position: Int64 { start + received }
    /// The number of missing bytes.
    public var remaining: Int64 { end - position }
}
