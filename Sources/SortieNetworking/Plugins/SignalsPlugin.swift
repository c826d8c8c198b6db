package import SortieHTTP

/// Signals to the user interface that a call runs, and why it failed.
///
/// A call with `RequestOptions.suppressesUI` signals nothing.
package struct SignalsPlugin: Plugin {
    /// The name in decisions and errors.
    package let name = "signals"
    private let loading: Bool
    private let toast: Bool

    /// Creates a plugin with the given signals.
    package init(loading: Bool = true, toast: Bool = true) {
        (self.loading, self.toast) = (loading, toast)
    }

    /// Signals once that the call runs.
    package func willPrepare(_ request: inout Request, in context: PluginContext) {
        if loading, !request.options.suppressesUI { context.signal(.loading(true)) }
    }

    /// Signals the end of the call and its error, unless the user cancelled it.
    package func didFinish(_ exchange: Exchange, in context: PluginContext) {
        guard !context.request.options.suppressesUI else { return }
        if toast, let error = exchange.error, error.code != .cancelled, error.code != .superseded { context.signal(.toast(error.message)) }
        if loading { context.signal(.loading(false)) }
    }
}
