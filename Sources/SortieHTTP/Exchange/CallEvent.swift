internal import SortieBase

/// An event of one call, in order; exactly one ``finished(_:)`` ends every call, including a cancelled one.
public enum CallEvent: Hashable, Sendable {
    /// A decision or an observation; its text contains the reason.
    case decided(Decision)
    /// A block of the debug log, before an attempt is sent and after its end.
    case logged(DebugLogRecord)
    /// A plugin requests something to be shown to the user.
    case signalled(ScreenSignal)
    /// Status and header fields of the response that will be delivered; its body follows.
    case responded(Response)
    /// Bytes were sent or received; coalesced, so that a fast transfer causes few events.
    case progressed(CallProgress)
    /// The decoded body so far; coalesced. Earlier views stay valid and unchanged.
    case grew(BodyBytes)
    /// The call waits in the request queue of its service for the given reason; nil when it no longer waits.
    case queued(because: String?)
    /// The attempt failed and is retried after the given number of seconds; 0 when the wait is over.
    case retrying(seconds: Double)
    /// The call waits for the network, or is sent again after the wait.
    case parked(ParkingNotice)
    /// The end of the call, with a response, an error, or both.
    case finished(Exchange)
}

/// A decision of the networking layer and its reason, for the log and the trace.
public struct Decision: Hashable, Sendable {
    /// The subject of a decision.
    public enum Subject: String, Hashable, Sendable {
        case lifecycle, admission, server, address, connection, tls, redirect, retry, cache, cookie, auth, body, parking, conditions, hook
    }

    /// The subject.
    public var subject: Subject
    /// The decision and its reason, as a sentence.
    public var text: String
    /// Seconds since the start of the call.
    public var time: Double

    /// Creates a decision.
    package init(_ subject: Subject, _ text: String, time: Double) {
        self.subject = subject
        self.text = text
        self.time = time
    }
}
