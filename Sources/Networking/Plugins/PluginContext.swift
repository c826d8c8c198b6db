public import Model

/// What a plugin knows of the call that it takes part in.
public struct PluginContext: Sendable {
    /// The call's identity.
    public let id: RequestID
    /// The attempt, from 1; 0 before the first.
    public internal(set) var attempt: Int
    /// Scheme, host and port that the caller meant: credentials belong to it, and not to where a redirect leads.
    public var origin: String { call.request.url.origin }
    /// The request as the caller gave it.
    public var request: Request { call.request }
    private let call: Call

    init(call: Call) {
        self.call = call
        id = call.id
        attempt = 0
    }

    /// Asks whoever shows the call to a person to show something (S3.3); the network layer shows nothing itself.
    public func signal(_ signal: ScreenSignal) {
        call.tell(.signalled(signal))
    }

    /// Notes a decision with its reason, for the log and the trace; the text is only made where somebody reads it.
    public func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        call.decided(subject, text())
    }
}
