/// When the steps of one attempt were over, in seconds since it began, and how it ended.
///
/// Each moment includes those before it, as curl counts them; a step that did not happen has the moment of the step before.
public struct Timing: Hashable, Sendable {
    /// Waiting in the queue of the service, before the attempt began, in seconds.
    ///
    /// Not part of the moments below, and not limited by the total timeout.
    public var queued = 0.0
    /// The name was resolved.
    public var nameLookup = 0.0
    /// The connection stood; 0 on a reused one.
    public var connect = 0.0
    /// TLS was agreed on; 0 without TLS or on a reused connection.
    public var tls = 0.0
    /// The request was about to be sent.
    public var requestStart = 0.0
    /// The first byte of the answer arrived.
    public var firstByte = 0.0
    /// It ended: the last byte arrived, or it failed or was stopped.
    public var total = 0.0

    /// All zero.
    public init() {}

    /// One step with its beginning and length, in seconds.
    public struct Phase: Hashable, Sendable {
        /// What a person calls it.
        public let name: String
        /// When it began.
        public let start: Double
        /// How long it took.
        public let duration: Double
    }

    /// What the steps are called, in their order.
    static let phaseNames = ["Queued", "Name lookup", "Connect", "TLS", "Send", "Waiting", "Receive"]

    /// The step in which the attempt ended: one without a response never received.
    ///
    /// Nil where only the total is known.
    private var lastPhase: String? {
        if firstByte > 0 { return "Receive" }
        if requestStart > 0 { return "Waiting" }
        if connect > 0 { return "TLS" }
        return nameLookup > 0 ? "Connect" : nil
    }

    /// The steps that took place, in order, for a waterfall.
    public var phases: [Phase] {
        var result: [Phase] = []
        var last = 0.0
        func add(_ name: String, until end: Double) {
            guard end > last else { return }
            result.append(Phase(name: name, start: last, duration: end - last))
            last = end
        }
        if queued > 0 { result.append(Phase(name: "Queued", start: -queued, duration: queued)) }
        add("Name lookup", until: nameLookup)
        add("Connect", until: connect)
        add("TLS", until: tls)
        add("Send", until: requestStart)
        add("Waiting", until: firstByte)
        if let lastPhase { add(lastPhase, until: total) }
        return result
    }
}
