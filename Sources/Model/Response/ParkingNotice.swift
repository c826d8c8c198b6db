public import struct FoundationEssentials.Date

/// How a request stands that waits for the network (S3.16).
public struct ParkingNotice: Hashable, Sendable {
    /// Why it could not be sent, in a sentence.
    public var reason: String
    /// When it began to wait.
    public var since: Date
    /// When it is given up.
    public var expires: Date
    /// Whether it is on its way just now, to be answered or to come back.
    public var isOut: Bool

    /// A notice.
    public init(reason: String, since: Date, expires: Date, isOut: Bool = false) {
        self.reason = reason
        self.since = since
        self.expires = expires
        self.isOut = isOut
    }
}
