public import SortieHTTP

/// Something that takes part in every call: five stages, each of which may be left out (S0.19–S0.25, S4.12).
///
/// Plugins are called in the order of their list. The stages of an attempt come again at every attempt, redirect hops included, so that a token or a
/// signature is never older than what it goes out with. What a stage throws ends the call: a ``NetworkError`` as it is, anything else as `pluginFailed`.
public protocol Plugin: Sendable {
    /// The name under which decisions and errors speak of it.
    var name: String { get }

    /// Stage 1, once: changes the request before anything is built from it (S0.19).
    func willPrepare(_ request: inout Request, in context: PluginContext) async throws

    /// For whom the plugin makes a request speak, nil for nobody: answers to one are never served to another from the cache (S1.25).
    func identity(in context: PluginContext) async throws -> String?

    /// Stage 2, at every attempt: headers, token, parameters, signature (S0.20).
    func prepare(_ request: inout Request, in context: PluginContext) async throws

    /// Stage 3, at every attempt: the request is about to go out (S0.21).
    func willSend(_ request: Request, in context: PluginContext) async

    /// Stage 4, at every attempt: an answer came; nothing has looked at it yet (S0.22).
    ///
    /// - Returns: whether the request should be sent once more, because what made it fail is mended (a new token).
    func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery

    /// Stage 5, once: the call has its result, or its error; both may be replaced (S0.23).
    ///
    /// - Returns: whether the plugins after this one are asked, too.
    func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation

    /// The call is over; nothing can be changed any more.
    func didFinish(_ exchange: Exchange, in context: PluginContext) async
}

/// What becomes of a call after an answer.
public enum Recovery: Hashable, Sendable {
    /// The answer stands.
    case none
    /// The request is sent once more; the text says why.
    case sendAgain(String)
}

/// Whether the plugins that follow are asked.
public enum Continuation: Hashable, Sendable {
    /// They are.
    case next
    /// They are not (S0.23).
    case stop
}

extension Plugin {
    /// The type's name.
    public var name: String { String(describing: Self.self) }
    /// Changes nothing.
    public func willPrepare(_ request: inout Request, in context: PluginContext) async throws {}
    /// Nobody.
    public func identity(in context: PluginContext) async throws -> String? { nil }
    /// Changes nothing.
    public func prepare(_ request: inout Request, in context: PluginContext) async throws {}
    /// Does nothing.
    public func willSend(_ request: Request, in context: PluginContext) async {}
    /// Lets the answer stand.
    public func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery { .none }
    /// Changes nothing.
    public func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation { .next }
    /// Does nothing.
    public func didFinish(_ exchange: Exchange, in context: PluginContext) async {}
}
