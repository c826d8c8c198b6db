/// The kind of traffic for the network, like URLSession's `networkServiceType`.
///
/// It sets the differentiated services field of the connection's packets (`IP_TOS`, `IPV6_TCLASS`; RFC 2474). Routers, Wi-Fi access points and the
/// queues of this machine may schedule by it; the values are those of RFC 4594 and RFC 8325.
public enum ServiceType: String, Hashable, Sendable, CaseIterable {
    /// Best effort; the field is not set.
    case standard
    /// Signalling of calls (CS5).
    case voip
    /// Video for which the user waits (AF41).
    case video
    /// Work without a waiting user, which gives way to everything else (CS1).
    case background
    /// The audio of a call (EF).
    case voice
    /// Small requests whose response must arrive soon (AF21).
    case responsive

    /// The value of the field in packets: the code point in the upper six bits; 0 for ``standard``.
    public var trafficClass: UInt8 {
        switch self {
        case .standard: 0
        case .voip: 0xa0
        case .video: 0x88
        case .background: 0x20
        case .voice: 0xb8
        case .responsive: 0x48
        }
    }
}
