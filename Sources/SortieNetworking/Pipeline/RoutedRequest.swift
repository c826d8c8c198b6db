internal import SortieHTTP

/// A request on its path, with what the steps before have decided about it.
struct RoutedRequest: Sendable {
    var request: Request
    /// The queue of the request's service, which also has its connections and its retry budget.
    let queue: RequestQueue
    /// The URL under which the cache stores responses, where the request goes to another server of the ring.
    var cachedURL: CopyOnWrite<HTTPURL>?
    /// Whether the request goes to a server that the caller configured; false after a redirect to another origin.
    var isAtConfiguredOrigin = true
    /// The cookies of the jar in the request.
    var cookies: [Cookie] = []
    /// The route through the tunnel of the service; nil without one.
    var tunnel: TunnelRoute?
    /// The address of the proxy, where the proxy is given by name.
    var proxyAddress: IPAddress?
    /// The Kerberos ticket for the proxy, where it authenticates with Negotiate.
    var proxyTicket: String?
    /// The address to connect to; nil where the host is numeric, a proxy resolves it, or a Unix socket or a tunnel is used.
    var address: IPAddress?
    /// Why this address was chosen; nil for a proxy or a Unix socket.
    var addressChoice: AddressChoice?
    /// The time limit for connecting, including TLS, in nanoseconds; nil for that of the request.
    var connectTimeout: UInt64?
    /// The time limit for the TCP connection in nanoseconds; nil where only the limit for connecting applies.
    var tcpTimeout: UInt64?
    /// The duration of the name lookup, in seconds.
    var lookup = 0.0

    init(_ request: Request, queue: RequestQueue) {
        (self.request, self.queue) = (request, queue)
    }
}
