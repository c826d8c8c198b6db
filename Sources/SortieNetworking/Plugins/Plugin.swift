public import SortieHTTP

/// Takes part in every call, in optional stages.
///
/// Plugins are called in the order of their list. The stages of an attempt run for every attempt, including redirects, so that a token or a signature
/// is current. An error of a stage ends the call: a `NetworkError` unchanged, any other error as `pluginFailed`.
///
/// The total time limit and the cancellation of a call cancel the task of the stage; the call does not wait for a plugin that ignores that. After a
/// failure, `process` has five seconds, and so has `didFinish`, after a success at most until the time limit.
///
/// While a stage runs, the call has no place in the queue of its service, so a plugin may wait for requests that it sends through the same service.
public protocol Plugin: Sendable {
    /// The name in decisions and errors.
    var name: String { get }

    /// Whether a plugin of the same name in the list of the service or the call takes the place of this one, because only one can take part, for
    /// example to sign the request.
    var isReplaceable: Bool { get }

    /// Stage 1, once: changes the request before anything is built from it.
    func willPrepare(_ request: inout Request, in context: PluginContext) async throws

    /// Identifies the credentials that the plugin adds, nil for none, so that cached responses are not shared between users.
    func identity(in context: PluginContext) async throws -> String?

    /// Stage 2, for every attempt: header fields, token, parameters, signature.
    func prepare(_ request: inout Request, in context: PluginContext) async throws

    /// Stage 3, for every attempt: the request is about to be sent.
    func willSend(_ request: Request, in context: PluginContext) async

    /// Stage 4, for every attempt: a response arrived and is not processed yet.
    ///
    /// - Returns: Whether to send the request again because the plugin repaired the cause of the response, for example with a new token.
    func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery

    /// In place of stage 4: the attempt failed with a transport error, such as a refused connection, at all addresses of its host.
    func didFail(_ error: NetworkError, to request: Request, in context: PluginContext) async

    /// Stage 5, once: the call has a result or an error; both can be replaced.
    ///
    /// A response that replaces an error is decoded for the caller of a typed endpoint as it is: the rules of the service do not apply to it, and it is
    /// not cached.
    ///
    /// - Returns: Whether the following plugins are called.
    func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation

    /// The call has ended and can no longer be changed.
    func didFinish(_ exchange: Exchange, in context: PluginContext) async
}

/// How a call continues after a response.
public enum Recovery: Hashable, Sendable {
    /// The response is used.
    case none
    /// The request is sent again, for the given reason.
    case sendAgain(String)
}

/// Whether the following plugins are called.
public enum Continuation: Hashable, Sendable {
    /// They are called.
    case next
    /// They are not called.
    case stop
}

extension Plugin {
    /// The name of the type.
    public var name: String { String(describing: Self.self) }
    /// False: both are called.
    public var isReplaceable: Bool { false }
    /// Changes nothing.
    public func willPrepare(_ request: inout Request, in context: PluginContext) async throws {}
    /// Nil: cached responses are not separated by this plugin.
    public func identity(in context: PluginContext) async throws -> String? { nil }
    /// Changes nothing.
    public func prepare(_ request: inout Request, in context: PluginContext) async throws {}
    /// Does nothing.
    public func willSend(_ request: Request, in context: PluginContext) async {}
    /// Uses the response.
    public func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery { .none }
    /// Does nothing.
    public func didFail(_ error: NetworkError, to request: Request, in context: PluginContext) async {}
    /// Changes nothing.
    public func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation { .next }
    /// Does nothing.
    public func didFinish(_ exchange: Exchange, in context: PluginContext) async {}
}

extension [any Plugin] {
    /// The plugins of two layers: a replaceable one gives its place to that of the upper layer with the same name, and the other ones follow.
    func overlaid(with upper: [any Plugin]) -> [any Plugin] {
        guard !isEmpty, !upper.isEmpty else { return isEmpty ? upper : self }
        var rest = upper
        let lower = map { plugin -> any Plugin in
            guard plugin.isReplaceable, let index = rest.firstIndex(where: { $0.name == plugin.name }) else { return plugin }
            return rest.remove(at: index)
        }
        return lower + rest
    }
}

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
    ///
    /// - Parameter name: What the call waits for, for the error at the deadline.
    func stage<Value: Sendable>(
        _ name: @autoclosure @escaping @Sendable () -> String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await call.stage(name(), work)
    }

    /// Runs a stage after the result of the call is known, for a few seconds.
    func lastStage<Value: Sendable>(isLimited: Bool, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await call.lastStage(isLimited: isLimited, work)
    }

    init(call: Call) {
        self.call = call
        id = call.id
        attempt = 0
    }

    /// Requests that the user interface shows something.
    package func signal(_ signal: UserSignal) {
        call.report(.signalled(signal))
    }

    /// Adds secrets that the plugin adds to the request; each attempt is checked for hosts that must not receive them.
    public func addSecrets(_ secrets: RequestSecrets) {
        if !secrets.isEmpty { call.addSecrets(secrets) }
    }

    /// Records the signed text: a dry run shows it completely, the log and the trace in one line.
    package func signed(_ text: SignedText) {
        guard let dryRun else { return decided(.auth, "signed over \(text.masked().replacing("\n", with: "\\n"))") }
        dryRun.note(text)
    }

    /// Records a decision with its reason, for the log and the trace; the text is evaluated only where it is read.
    public func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        call.decided(subject, text())
    }
}
