public import struct FoundationEssentials.Date

/// The state of a parked request, which waits for the network.
public struct ParkingNotice: Hashable, Sendable {
    /// Why the request could not be sent, as a sentence.
    public var reason: String
    /// The time at which the wait began.
    public var since: Date
    /// The time at which the request is abandoned.
    public var expires: Date
    /// Whether the request is being sent at present; it may be parked again.
    public var isOut: Bool

    /// Creates a notice.
    package init(reason: String, since: Date, expires: Date, isOut: Bool = false) {
        self.reason = reason
        self.since = since
        self.expires = expires
        self.isOut = isOut
    }
}
