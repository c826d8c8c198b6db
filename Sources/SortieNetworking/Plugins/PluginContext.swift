public import SortieHTTP

/// What a plugin knows of the call that it takes part in.
public struct PluginContext: Sendable {
    /// The call's identity.
    public let id: RequestID
    /// The attempt, from 1; 0 before the first.
    public internal(set) var attempt: Int
    /// Scheme, host and port that the caller meant: credentials belong to it, and not to where a redirect leads.
    public var origin: String { call.request.url.origin }
    /// Whether the attempt goes to a server that the caller named: credentials belong there, and nowhere that another origin redirects to.
    ///
    /// It is false after the first redirect to another origin, also where a later one leads back.
    public internal(set) var isAtConfiguredOrigin = true
    /// The request as the caller gave it.
    public var request: Request { call.request }
    /// Whether this is a dry run: nothing will be sent, and a plugin must change nothing beyond the request.
    public var isDryRun: Bool { dryRun != nil }
    /// What a dry run is told; nil for a call that is sent.
    var dryRun: DryRunNotes?
    private let call: Call

    /// Runs a stage in a task that the call's abort cancels.
    func stage<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value { try await call.stage(work) }

    init(call: Call) {
        self.call = call
        id = call.id
        attempt = 0
    }

    /// Asks whoever shows the call to a person to show something (S3.3); the network layer shows nothing itself.
    public func signal(_ signal: ScreenSignal) {
        call.tell(.signalled(signal))
    }

    /// Adds what is secret in what a plugin puts on the request: the hosts that may receive it are compared with every attempt's.
    public func addSecrets(_ secrets: RequestSecrets) {
        if !secrets.isEmpty { call.addSecrets(secrets) }
    }

    /// Notes what a signature was made of: a dry run shows it whole, the log and the trace in a line.
    public func signed(_ text: SignedText) {
        guard let dryRun else { return decided(.auth, "signed over \(text.masked().replacing("\n", with: "\\n"))") }
        dryRun.note(text)
    }

    /// Notes a decision with its reason, for the log and the trace; the text is only made where somebody reads it.
    public func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        call.decided(subject, text())
    }
}
