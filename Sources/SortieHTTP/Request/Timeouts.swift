/// How long a request may take, in three parts (S2.12, X1).
public struct Timeouts: Hashable, Sendable {
    /// From the start of an attempt until the connection is established, TLS included.
    public var connect: Duration
    /// Without a byte in either direction.
    public var idle: Duration
    /// For the whole call, attempts, redirects and the waits between them included; nil for no limit.
    ///
    /// Time spent suspended, in the queue of the service, or waiting for the network does not count. A value that is assigned here is explicit: it
    /// limits transfers, too. The default only limits data requests; see ``total(ofTransfer:)``.
    public var total: Duration? {
        didSet { isTotalExplicit = true }
    }
    /// Whether the total was set, rather than left at the default.
    public private(set) var isTotalExplicit: Bool

    /// The total of a data request where nothing else is set.
    public static let defaultTotal = Duration.seconds(60)

    /// Limits with the default total.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(30)) {
        self.connect = connect
        self.idle = idle
        total = Self.defaultTotal
        isTotalExplicit = false
    }

    /// Limits with an explicit total; nil for no limit.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration?) {
        self.connect = connect
        self.idle = idle
        self.total = total
        isTotalExplicit = true
    }

    /// The total that applies: the explicit one, or else the default for a data request and no limit for a transfer.
    ///
    /// - Parameter isTransfer: whether it is for a download into a file or an upload of a file (S1.3). Those may take any time while bytes move, which
    ///   ``idle`` supervises.
    public func total(ofTransfer isTransfer: Bool) -> Duration? {
        isTransfer && !isTotalExplicit ? nil : total
    }

    /// Whether the total is the same one, explicit or the default.
    public func hasSameTotal(as other: Timeouts) -> Bool {
        total == other.total && isTotalExplicit == other.isTotalExplicit
    }

    /// Takes over the total of other limits, and whether that is explicit.
    public mutating func inheritTotal(of other: Timeouts) {
        total = other.total
        isTotalExplicit = other.isTotalExplicit
    }
}

extension Timeouts: Codable {
    private enum Key: String, CodingKey {
        case connect, idle, total, isTotalExplicit
    }

    /// Decodes limits.
    ///
    /// Versions up to 0.1.0 did not store whether the total is explicit; there the default value counts as not set.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        connect = try values.decode(Duration.self, forKey: .connect)
        idle = try values.decode(Duration.self, forKey: .idle)
        total = try values.decodeIfPresent(Duration.self, forKey: .total)
        isTotalExplicit = try values.decodeIfPresent(Bool.self, forKey: .isTotalExplicit) ?? (total != Self.defaultTotal)
    }

    /// Encodes limits.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(connect, forKey: .connect)
        try values.encode(idle, forKey: .idle)
        try values.encodeIfPresent(total, forKey: .total)
        try values.encode(isTotalExplicit, forKey: .isTotalExplicit)
    }
}
