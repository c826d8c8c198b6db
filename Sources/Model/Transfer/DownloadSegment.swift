/// A stretch of a file that one connection fetches, where several fetch it (§5.7).
public struct DownloadSegment: Hashable, Sendable {
    /// Its first byte, counted from the file's first one.
    public var start: Int64
    /// The byte after its last one.
    public var end: Int64
    /// How many of its bytes are here, from its first one on.
    public var received: Int64

    /// A segment.
    public init(start: Int64, end: Int64, received: Int64 = 0) {
        self.start = start
        self.end = end
        self.received = received
    }

    /// The first byte that is missing.
    public var position: Int64 { start + received }
    /// How many bytes are missing.
    public var remaining: Int64 { end - position }
}
