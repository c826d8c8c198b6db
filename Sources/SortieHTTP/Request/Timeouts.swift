/// The time limits of a request (S2.12, X1).
public struct Timeouts: Hashable, Sendable {
    /// The limit from the start of an attempt until the connection is established, including TLS.
    public var connect: Duration
    /// The limit of the time without a byte in either direction; see ``idle(ofUpload:)``.
    public var idle: Duration
    /// The limit of the complete call, including attempts, redirects and the delays between them; nil for no limit.
    ///
    /// Time spent suspended, in the request queue of the service, or waiting for the network does not count. A value that is assigned here is
    /// explicit and limits transfers, too. The default limits only data requests; see `total(ofTransfer:)`.
    public var total: Duration? {
        didSet { isTotalExplicit = true }
    }
    /// Whether ``total`` was set explicitly.
    package private(set) var isTotalExplicit: Bool

    /// The default total of a data request.
    public static let defaultTotal = Duration.seconds(60)

    /// Creates limits with the default total.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(30)) {
        self.connect = connect
        self.idle = idle
        total = Self.defaultTotal
        isTotalExplicit = false
    }

    /// Creates limits with an explicit total; nil for no limit.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration?) {
        self.connect = connect
        self.idle = idle
        self.total = total
        isTotalExplicit = true
    }

    /// The total that applies: the explicit one, or the default for a data request and no limit for a transfer.
    ///
    /// - Parameter isTransfer: whether the request downloads into a file or uploads a file (S1.3). Transfers may take any time while bytes move;
    ///   ``idle`` limits pauses.
    package func total(ofTransfer isTransfer: Bool) -> Duration? {
        isTransfer && !isTotalExplicit ? nil : total
    }

    /// The idle limit that applies: that of an upload is twice as long, because the server may store the body before it responds (S1.3).
    public func idle(ofUpload isUpload: Bool) -> Duration {
        // A limit that cannot be doubled is longer than any transfer.
        isUpload && idle < .seconds(Int64.max / 4) ? idle * 2 : idle
    }

    /// Whether both totals are equal, and both explicit or both default.
    package func hasSameTotal(as other: Timeouts) -> Bool {
        total == other.total && isTotalExplicit == other.isTotalExplicit
    }

    /// Copies the total of other limits, including whether it is explicit.
    package mutating func inheritTotal(of other: Timeouts) {
        total = other.total
        isTotalExplicit = other.isTotalExplicit
    }
}
