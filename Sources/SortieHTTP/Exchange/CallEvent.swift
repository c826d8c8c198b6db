internal import SortieBase

public import struct FoundationEssentials.Date

/// An event of one call, in order; exactly one ``finished(_:)`` ends every call, including a cancelled one.
public enum CallEvent: Hashable, Sendable {
    /// A decision or an observation; its text contains the reason.
    case decided(Decision)
    /// A block of the debug log, before an attempt is sent and after its end, or a signal of a plugin.
    case reported(CallReport)
    /// Status and header fields of the response that will be delivered; its body follows.
    case responded(Response)
    /// Bytes were sent or received; coalesced, so that a fast transfer causes few events.
    case progressed(CallProgress)
    /// The decoded body so far; coalesced. Earlier views stay valid and unchanged.
    case grew(BodyBytes)
    /// The call waits in the queue of its service or for its next attempt (``TransferState/queued(because:)``,
    /// ``TransferState/waiting(seconds:because:)``), or is sent after such a wait (``TransferState/sending``).
    case changed(TransferState)
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
        (self.subject, self.text, self.time) = (subject, text, time)
    }
}

/// The progress of a running request, in bytes of its bodies.
public struct CallProgress: Hashable, Sendable {
    /// The number of bytes of the request body that were sent.
    public var sent: Int64
    /// The length of the request body; nil when unknown.
    public var sentTotal: Int64?
    /// The number of bytes of the response body that were received, before decoding.
    public var received: Int64
    /// The length of the response body; nil when unknown.
    public var receivedTotal: Int64?

    /// Creates the progress of both directions.
    public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
        (self.sent, self.sentTotal, self.received, self.receivedTotal) = (sent, sentTotal, received, receivedTotal)
    }
}

/// A call that has ended, for observers that record it: an exchange with additional data.
public struct CompletedCall: Hashable, Sendable {
    /// The request and its complete result, including secrets.
    public var exchange: Exchange
    /// The kind of the call.
    package var kind: RequestKind
    /// The destination file of a download.
    public var file: String?
    /// The number of received bytes of that file.
    public var fileBytes: Int64?

    /// Creates a call that has ended.
    package init(_ exchange: Exchange, kind: RequestKind, file: String? = nil, fileBytes: Int64? = nil) {
        (self.exchange, self.kind, self.file, self.fileBytes) = (exchange, kind, file, fileBytes)
    }
}

/// The state of a parked request, which waits for the network.
public struct ParkingNotice: Hashable, Sendable {
    /// Why the request could not be sent, as a sentence.
    public var reason: String
    /// The time at which the wait began.
    public var since: Date
    /// The time at which the request is abandoned.
    public var expires: Date
    /// Whether the request is being sent at present; it may be parked again.
    public var isOut: Bool

    /// Creates a notice.
    package init(reason: String, since: Date, expires: Date, isOut: Bool = false) {
        (self.reason, self.since, self.expires, self.isOut) = (reason, since, expires, isOut)
    }
}

/// What a call reports besides its progress: a block of the debug log, or what a plugin requests to be shown to the user.
public struct CallReport: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        case block(DebugLogRecord)
        case signal(UserSignal)
    }

    private let content: Content

    /// The block of the debug log; nil for a signal.
    package var record: DebugLogRecord? {
        if case .block(let record) = content { record } else { nil }
    }

    /// The signal of a plugin; nil for a block of the debug log.
    package var signal: UserSignal? {
        if case .signal(let signal) = content { signal } else { nil }
    }

    /// The text for a log, with secrets masked.
    public var text: String {
        switch content {
        case .block(let record): record.text()
        case .signal(.loading(let isLoading)): isLoading ? "loading" : "loaded"
        case .signal(.toast(let text)), .signal(.authExpired(let text)): Redaction.standard.masked(text)
        }
    }

    fileprivate init(_ record: DebugLogRecord) { content = .block(record) }

    fileprivate init(_ signal: UserSignal) { content = .signal(signal) }
}

extension CallEvent {
    /// A block of the debug log.
    package static func logged(_ record: DebugLogRecord) -> CallEvent { .reported(CallReport(record)) }

    /// A plugin requests something to be shown to the user.
    package static func signalled(_ signal: UserSignal) -> CallEvent { .reported(CallReport(signal)) }
}

/// A request of a plugin to the user interface; a program without a screen ignores it.
package enum UserSignal: Hashable, Sendable {
    /// The call started or ended.
    case loading(Bool)
    /// A message to show for a short time.
    case toast(String)
    /// The login has expired and the user must sign in again; the text contains the reason.
    case authExpired(String)
}
