/// The end times of the steps of one attempt, in seconds since its start.
///
/// Each time includes the steps before it, as in curl. ``connect`` and ``tls`` are 0 where the step did not take place.
public struct Timing: Hashable, Sendable {
    /// The time in the request queue of the service before the attempt started, in seconds.
    ///
    /// It is not part of the times below, and not limited by the total timeout.
    public var queued = 0.0
    /// The name was resolved.
    public var nameLookup = 0.0
    /// The connection was established; 0 on a reused connection.
    public var connect = 0.0
    /// The TLS handshake was complete; 0 without TLS or on a reused connection.
    public var tls = 0.0
    /// The request was about to be sent.
    public var requestStart = 0.0
    /// The first byte of the response arrived.
    public var firstByte = 0.0
    /// The attempt ended: the last byte arrived, or it failed or was cancelled.
    public var total = 0.0

    /// Creates a timing with all values 0.
    package init() {}

    /// One step with its start and duration, in seconds.
    public struct Phase: Hashable, Sendable {
        /// The name for display.
        public let name: String
        /// The start, in seconds since the start of the attempt; negative for the time in the queue.
        public let start: Double
        /// The duration in seconds.
        public let duration: Double
    }

    /// The names of the steps, in order.
    package static let phaseNames = ["Queued", "Name lookup", "Connect", "TLS", "Send", "Waiting", "Receive"]

    /// The name of the step in which the attempt ended; without a response, that is not the last one.
    ///
    /// Nil where only the total is known.
    private var lastPhase: String? {
        if firstByte > 0 { return "Receive" }
        if requestStart > 0 { return "Waiting" }
        if connect > 0 { return "TLS" }
        return nameLookup > 0 ? "Connect" : nil
    }

    /// The steps that took place, in order, for a waterfall diagram.
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
