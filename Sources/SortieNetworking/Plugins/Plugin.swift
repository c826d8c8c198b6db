public import SortieHTTP

/// Takes part in every call, in five optional stages.
///
/// Plugins are called in the order of their list. The stages of an attempt run for every attempt, including redirects, so that a token or a signature
/// is current. An error of a stage ends the call: a `NetworkError` unchanged, any other error as `pluginFailed`.
///
/// The total time limit and the cancellation of a call cancel the task of the stage; the call does not wait for a plugin that ignores that. After a
/// failure, `process` has five seconds.
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
    /// Nobody.
    public func identity(in context: PluginContext) async throws -> String? { nil }
    /// Changes nothing.
    public func prepare(_ request: inout Request, in context: PluginContext) async throws {}
    /// Does nothing.
    public func willSend(_ request: Request, in context: PluginContext) async {}
    /// Uses the response.
    public func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery { .none }
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
