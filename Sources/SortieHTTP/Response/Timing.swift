internal import SortieBase

/// The end times of the steps of one attempt, in seconds since its start.
///
/// Each time includes the steps before it, as in curl. ``connect`` and ``tls`` are 0 where the step did not take place.
public struct Timing: Hashable, Sendable {
    /// The time in the request queue of the service before the attempt started, in seconds.
    ///
    /// It is not part of the times below; ``Timeouts/total`` limits both together.
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
    package struct Phase: Hashable, Sendable {
        /// The steps of an attempt, in order; the raw values are their names for display.
        package enum Step: String, Hashable, Sendable, CaseIterable {
            /// The request waited in the queue of its service.
            case queued = "Queued"
            /// The host name was resolved.
            case nameLookup = "Name lookup"
            /// The connection was established.
            case connect = "Connect"
            /// The TLS handshake took place.
            case tls = "TLS"
            /// The request was sent.
            case send = "Send"
            /// The server had the request and had not responded yet.
            case waiting = "Waiting"
            /// The response arrived.
            case receive = "Receive"
        }

        /// The step.
        package let step: Step
        /// The name for display.
        package var name: String { step.rawValue }
        /// The start, in seconds since the start of the attempt; negative for the time in the queue.
        package let start: Double
        /// The duration in seconds.
        package let duration: Double
    }

    /// The step in which the attempt ended; without a response, that is not the last one.
    ///
    /// Nil where only the total is known.
    private var lastStep: Phase.Step? {
        if firstByte > 0 { return .receive }
        if requestStart > 0 { return .waiting }
        if connect > 0 { return .tls }
        return nameLookup > 0 ? .connect : nil
    }

    /// The steps that took place, in order, for a waterfall diagram.
    package var phases: [Phase] {
        var result: [Phase] = []
        var last = 0.0
        func add(_ step: Phase.Step, until end: Double) {
            guard end > last else { return }
            result.append(Phase(step: step, start: last, duration: end - last))
            last = end
        }
        if queued > 0 { result.append(Phase(step: .queued, start: -queued, duration: queued)) }
        add(.nameLookup, until: nameLookup)
        add(.connect, until: connect)
        add(.tls, until: tls)
        add(.send, until: requestStart)
        add(.waiting, until: firstByte)
        if let lastStep { add(lastStep, until: total) }
        return result
    }
}

/// A duration in a form for display.
package struct TimeSpan: Hashable, Sendable {
    /// The duration in seconds.
    package let seconds: Double

    /// Creates a duration of `seconds`.
    package init(_ seconds: Double) {
        self.seconds = seconds
    }

    /// The duration as text: `0.4 ms`, `34 ms`, `3.2 s`, `2 min 05 s`, `1 h 07 min`.
    package var text: String {
        guard seconds.isFinite, seconds < 1e9 else { return "–" }
        let seconds = max(0, seconds)
        if seconds < 0.00995 { return Self.tenths(seconds * 1000) + " ms" }
        if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 59.95 { return Self.tenths(seconds) + " s" }
        let whole = Int(seconds.rounded())
        if whole < 3600 { return "\(whole / 60) min \((whole % 60).padded(to: 2)) s" }
        return "\(whole / 3600) h \((whole / 60 % 60).padded(to: 2)) min"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
