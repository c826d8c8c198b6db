public import SortieHTTP

/// The call, as its plugins see it.
public struct PluginContext: Sendable {
    /// The identity of the call.
    public let id: RequestID
    /// The number of the attempt, from 1; 0 before the first.
    public internal(set) var attempt: Int
    /// The origin of the caller's request; credentials are for it and not for the targets of redirects.
    public var origin: String { call.request.url.origin }
    /// Whether the attempt goes to a server that the caller configured, to which credentials may be sent.
    ///
    /// False after the first redirect to another origin, also after a redirect back.
    public internal(set) var isAtConfiguredOrigin = true
    /// The request of the caller.
    public var request: Request { call.request }
    /// Whether this is a dry run: nothing is sent, and a plugin must not change anything except the request.
    public var isDryRun: Bool { dryRun != nil }
    /// The notes of a dry run; nil for a call that is sent.
    var dryRun: DryRunNotes?
    private let call: Call

    /// Runs a stage in a task that is cancelled when the call is aborted and at its deadline.
    func stage<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value { try await call.stage(work) }

    /// Runs a stage after the call has failed, for a few seconds.
    func stageAfterFailure<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await call.stageAfterFailure(work)
    }

    init(call: Call) {
        self.call = call
        id = call.id
        attempt = 0
    }

    /// Requests that the user interface shows something.
    public func signal(_ signal: ScreenSignal) {
        call.report(.signalled(signal))
    }

    /// Adds secrets that the plugin adds to the request; each attempt is checked for hosts that must not receive them.
    public func addSecrets(_ secrets: RequestSecrets) {
        if !secrets.isEmpty { call.addSecrets(secrets) }
    }

    /// Records the signed text: a dry run shows it completely, the log and the trace in one line.
    public func signed(_ text: SignedText) {
        guard let dryRun else { return decided(.auth, "signed over \(text.masked().replacing("\n", with: "\\n"))") }
        dryRun.note(text)
    }

    /// Records a decision with its reason, for the log and the trace; the text is evaluated only where it is read.
    public func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        call.decided(subject, text())
    }
}
