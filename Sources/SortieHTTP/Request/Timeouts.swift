/// The time limits of a request.
///
/// The limits that are passed to an initializer, or assigned, take precedence over those of the layers below.
public struct Timeouts: Hashable, Sendable {
    /// The fields, each named like its property.
    package enum Field: UInt8, CaseIterable, Sendable {
        case connect, idle, total
    }

    /// The limit from the start of an attempt until the connection is established, including TLS.
    public var connect: Duration { didSet { assigned.insert(.connect) } }
    /// The limit of the time without a byte in either direction; see ``idle(ofUpload:)``.
    public var idle: Duration { didSet { assigned.insert(.idle) } }
    /// The limit of the complete call: the request queue, plugins, attempts, redirects, the delays between them, and reading the response; nil for no limit.
    ///
    /// Time spent suspended, parked until there is a network, or waiting for a user does not count. A value that is assigned here is
    /// explicit and limits transfers, too. The default limits only data requests; see `total(ofTransfer:)`.
    public var total: Duration? {
        didSet { isTotalExplicit = true }
    }
    /// Whether ``total`` was set explicitly.
    package private(set) var isTotalExplicit: Bool
    /// The limits that were assigned, except ``total``.
    private var assigned = AssignedFields<Field>()

    /// The default total of a data request.
    public static let defaultTotal = Duration.seconds(60)

    /// Creates limits with the default total.
    ///
    /// - Parameters:
    ///   - connect: The limit of establishing a connection; nil for 10 s, or that of the layer below.
    ///   - idle: The limit of the time without a byte; nil for 30 s, or that of the layer below.
    public init(connect: Duration? = nil, idle: Duration? = nil) {
        self.connect = connect ?? .seconds(10)
        self.idle = idle ?? .seconds(30)
        total = Self.defaultTotal
        isTotalExplicit = false
        if connect != nil { assigned.insert(.connect) }
        if idle != nil { assigned.insert(.idle) }
    }

    /// Creates limits with an explicit total.
    ///
    /// - Parameters:
    ///   - connect: The limit of establishing a connection; nil for 10 s, or that of the layer below.
    ///   - idle: The limit of the time without a byte; nil for 30 s, or that of the layer below.
    ///   - total: The limit of the complete call; nil for no limit.
    public init(connect: Duration? = nil, idle: Duration? = nil, total: Duration?) {
        self.init(connect: connect, idle: idle)
        self.total = total
        isTotalExplicit = true
    }

    /// Whether a limit was assigned.
    package func assigns(_ field: Field) -> Bool { field == .total ? isTotalExplicit : assigned.contains(field) }

    /// These limits with the assigned ones of the layer above.
    package func overlaid(with upper: Timeouts) -> Timeouts {
        var result = upper
        if !upper.assigns(.connect), assigns(.connect) { result.connect = connect }
        if !upper.assigns(.idle), assigns(.idle) { result.idle = idle }
        if !upper.assigns(.total), assigns(.total) { result.total = total }
        return result
    }

    /// The total that applies: the explicit one, or the default for a data request and no limit for a transfer.
    ///
    /// - Parameter isTransfer: whether the request downloads into a file or uploads a file. Transfers may take any time while bytes move;
    ///   ``idle`` limits pauses.
    package func total(ofTransfer isTransfer: Bool) -> Duration? {
        isTransfer && !isTotalExplicit ? nil : total
    }

    /// The idle limit that applies: that of an upload is twice as long, because the server may store the body before it responds.
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
