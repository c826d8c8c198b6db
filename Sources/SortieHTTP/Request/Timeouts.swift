/// The time limits of a request.
///
/// The limits that are passed to an initializer, or assigned, take precedence over those of the layers below.
public struct Timeouts: Hashable, Sendable {
    /// The limit from the start of an attempt until the connection is established, including TLS; a request with one of zero or less is not sent.
    @Layered public var connect = Duration.seconds(10)
    /// The limit of the time without a byte in either direction; a request with one of zero or less is not sent.
    ///
    /// That of an upload is twice as long, because the server may store the body before it responds.
    @Layered public var idle = Duration.seconds(30)
    /// The limit of the complete call: the request queue, plugins, attempts, redirects, the delays between them, and reading the response; nil for no limit.
    ///
    /// Time spent suspended, parked until there is a network, or waiting for a user does not count. A value that is assigned here is
    /// explicit and limits transfers, too. The default limits only data requests, not downloads into files and uploads of files.
    @Layered public var total: Duration? = Timeouts.defaultTotal

    /// The default total of a data request.
    public static let defaultTotal = Duration.seconds(60)

    /// Creates limits with the default total.
    ///
    /// - Parameters:
    ///   - connect: The limit of establishing a connection; nil for 10 s, or that of the layer below.
    ///   - idle: The limit of the time without a byte; nil for 30 s, or that of the layer below.
    public init(connect: Duration? = nil, idle: Duration? = nil) {
        if let connect { self.connect = connect }
        if let idle { self.idle = idle }
    }

    /// Creates limits with an explicit total.
    ///
    /// - Parameters:
    ///   - connect: The limit of establishing a connection; nil for 10 s, or that of the layer below.
    ///   - idle: The limit of the time without a byte; nil for 30 s, or that of the layer below.
    ///   - total: The limit of the complete call; nil for no limit.
    public init(connect: Duration? = nil, idle: Duration? = nil, total: Duration?) {
        self.init(connect: connect, idle: idle)
        // In an initializer that delegates, an assignment of the property creates the wrapper again, so that the value is not set.
        _total.wrappedValue = total
    }

    /// Takes the limits of the layer below that this one does not have.
    package mutating func inherit(from lower: Timeouts, _ merge: inout LayerMerge) {
        _connect.inherit(lower._connect, &merge)
        _idle.inherit(lower._idle, &merge)
        _total.inherit(lower._total, &merge)
    }

    /// Whether the limits are equal, and both totals are explicit or neither is.
    public static func == (left: Timeouts, right: Timeouts) -> Bool {
        left.connect == right.connect && left.idle == right.idle && left.hasSameTotal(as: right)
    }

    /// The total that applies: the explicit one, or the default for a data request and no limit for a transfer.
    ///
    /// - Parameter isTransfer: whether the request downloads into a file or uploads a file. Transfers may take any time while bytes move;
    ///   ``idle`` limits pauses.
    package func total(ofTransfer isTransfer: Bool) -> Duration? {
        isTransfer && $total == nil ? nil : total
    }

    /// The idle limit that applies: that of an upload is twice as long, because the server may store the body before it responds.
    package func idle(ofUpload isUpload: Bool) -> Duration {
        // A limit that cannot be doubled is longer than any transfer.
        isUpload && idle < .seconds(Int64.max / 4) ? idle * 2 : idle
    }

    /// Whether both totals are equal, and both explicit or both default.
    package func hasSameTotal(as other: Timeouts) -> Bool {
        $total == other.$total
    }

    /// Copies the total of other limits, including whether it is explicit.
    package mutating func inheritTotal(of other: Timeouts) { _total = other._total }
}
