/// What happens during one call, in order; exactly one ``finished(_:)`` ends it, cancelled included (S0.9, S2.25).
public enum CallEvent: Hashable, Sendable {
    /// Something was decided or noticed: why is in its text.
    case decided(Decision)
    /// A block of the debug log: before an attempt is sent, and after its end (S0.33).
    case logged(DebugLogRecord)
    /// A plugin asks whoever shows things to a person to show one (S3.3).
    case signalled(ScreenSignal)
    /// Status and header fields of the response that will be delivered; its body follows.
    case responded(Response)
    /// Bytes went or came; coalesced, so that a fast transfer makes few of these.
    case progressed(Progress)
    /// The decoded body so far; coalesced. What earlier views showed stays as it was.
    case grew(BodyBytes)
    /// It waits in the queue of its service, and why; nil when it waits no longer.
    case queued(because: String?)
    /// It failed and is sent again in so many seconds; 0 when that time is over.
    case retrying(seconds: Double)
    /// It waits for the network, or goes out again after it waited.
    case parked(ParkingNotice)
    /// The end: a response, or an error, or both.
    case finished(Exchange)
}

/// A decision of the networking layer with its reason, for the log and the trace.
public struct Decision: Hashable, Sendable {
    /// What it is about.
    public enum Subject: String, Hashable, Sendable {
        case lifecycle, admission, server, address, connection, tls, redirect, retry, cache, cookie, auth, body, parking, conditions
    }

    /// What it is about.
    public var subject: Subject
    /// What was decided and why, in a sentence.
    public var text: String
    /// Seconds since the call began.
    public var time: Double

    /// A decision.
    public init(_ subject: Subject, _ text: String, time: Double) {
        self.subject = subject
        self.text = text
        self.time = time
    }
}
