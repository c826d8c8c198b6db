public import SortieHTTP

/// Tells the screen that a call runs, and why it failed (S0.21, S3.3).
///
/// A call that is ``RequestOptions/isQuiet`` shows nothing.
public struct SignalsPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "signals"
    private let loading: Bool
    private let toast: Bool

    /// A plugin that signals what is switched on.
    public init(loading: Bool = true, toast: Bool = true) {
        self.loading = loading
        self.toast = toast
    }

    /// Says that the call runs, once.
    public func willPrepare(_ request: inout Request, in context: PluginContext) {
        if loading, !request.options.isQuiet { context.signal(.loading(true)) }
    }

    /// Says why it failed, and that it is over; a person who cancelled it knows why.
    public func didFinish(_ exchange: Exchange, in context: PluginContext) {
        guard !context.request.options.isQuiet else { return }
        if toast, let error = exchange.error, error.code != .cancelled, error.code != .superseded { context.signal(.toast(error.message)) }
        if loading { context.signal(.loading(false)) }
    }
}
