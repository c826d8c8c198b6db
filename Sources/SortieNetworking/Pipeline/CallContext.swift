internal import SortieHTTP

/// The values that the steps of a request's path share: the call, its plugins and cookies, and the parts of its client.
final class CallContext: Sendable {
    let core: ClientCore
    let call: Call
    let service: ServiceConfiguration
    let plugins: PluginChain
    let cookies: AttemptCookies
    /// The plugins that receive the debug log.
    let logs: [DebugLogPlugin]
    /// The body before it was encrypted; nil where it is sent unencrypted.
    let plainBody: RequestBody?

    /// Converts the messages of gRPC; nil for another request.
    let messages: GRPCMessages?

    init(
        core: ClientCore, call: Call, service: ServiceConfiguration, plugins: PluginChain, cookies: AttemptCookies, plainBody: RequestBody?,
        messages: GRPCMessages?
    ) {
        self.core = core
        self.call = call
        self.service = service
        self.plugins = plugins
        self.cookies = cookies
        self.plainBody = plainBody
        self.messages = messages
        logs = plugins.plugins.compactMap { $0 as? DebugLogPlugin }
    }

    /// The lookup of host names for this call.
    var hosts: HostLookup { HostLookup(call: call, resolver: core.resolver) }
}
