internal import SortieHTTP

/// Finds the proxy of a request: removes it where the host is an exception, and looks up its address where it is given by name.
///
/// libcurl must not look the name up, because that would block the engine (`EngineFacts.md`, headline 3).
struct ProxySelection<Next: RequestStep>: RequestStep {
    private let context: CallContext
    private let next: Next

    init(_ context: CallContext, next: Next) {
        self.context = context
        self.next = next
    }

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard let proxy = routed.request.options.proxy, routed.request.options.unixSocket == nil else {
            return try await next.send(routed, &exchange)
        }
        var routed = routed
        let host = routed.request.url.host
        if proxy.isFor(routed.request.url) {
            context.call.decided(.address, "through the proxy \(proxy)\(proxy.resolvesNames ? ", which resolves \(host)" : "")")
            routed.proxyAddress = try await address(of: proxy, for: routed.request)
        } else {
            routed.request.options.proxy = nil
            context.call.decided(.address, "without the proxy: \(host) is one of its exceptions")
        }
        try await next.send(routed, &exchange)
    }

    /// The address of a proxy that is given by name; nil for a numeric one, and where a transport performs the attempt.
    private func address(of proxy: Proxy, for request: Request) async throws(NetworkError) -> IPAddress? {
        guard IPAddress(proxy.hostForLookup) == nil, context.call.usesEngine else { return nil }
        try context.hosts.checkName(proxy.hostForLookup, of: request)
        do throws(NetworkError) {
            return try await context.hosts.find(proxy.hostForLookup, for: request).addresses.first
        } catch {
            throw NetworkError(
                .proxyFailed, "the proxy \(proxy) was not found: \(error.message)", remedy: .proxySetting,
                underlying: error.underlying)
        }
    }
}

extension NetworkError {
    /// A proxy that opened no tunnel.
    ///
    /// - Parameters:
    ///   - status: The status of the response to `CONNECT`; 0 without one.
    ///   - words: The message of libcurl.
    static func tunnelRefused(_ request: TransferRequest, status: Int, words: String) -> NetworkError {
        let proxy = request.options.proxy?.description ?? ""
        guard status >= 100 else {
            return NetworkError(
                .proxyFailed, "the proxy \(proxy) did not send a valid HTTP response to CONNECT \(request.url.authority)",
                remedy: .httpProxySetting, underlying: words)
        }
        let hint =
            status == 407
            ? "it requires a login: write it into the URL, http://USER:PASSWORD@HOST:PORT"
            : "check that it permits tunnels to \(request.url.authority)"
        return NetworkError(
            .proxyFailed, "the proxy \(proxy) opens no tunnel to \(request.url.authority): it responded with \(status)",
            hint: hint,
            underlying: words)
    }
}
