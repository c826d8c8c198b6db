public import struct FoundationEssentials.Date

/// A request that waits for the network, as it is kept over the end of the program (S3.16).
///
/// It keeps the endpoint as it was when it was sent, with its templates unresolved: what must be fresh is made when it goes out, and secrets that come
/// from templates are not in it.
public struct ParkedRequest: Hashable, Codable, Sendable, Identifiable {
    /// Its identity, for as long as it waits.
    public var id: String
    /// What is sent.
    public var endpoint: Endpoint
    /// The environment that it was sent in.
    public var environment: String?
    /// When it was sent first.
    public var since: Date
    /// When it is given up.
    public var expires: Date
    /// Why it could not be sent.
    public var reason: String
    /// Whether it was on its way when this was written: if so, it may have arrived, and is not sent again by itself.
    public var isOut: Bool

    /// A request that waits.
    public init(
        id: String, endpoint: Endpoint, environment: String?, since: Date, expires: Date, reason: String, isOut: Bool = false
    ) {
        self.id = id
        self.endpoint = endpoint
        self.environment = environment
        self.since = since
        self.expires = expires
        self.reason = reason
        self.isOut = isOut
    }
}
