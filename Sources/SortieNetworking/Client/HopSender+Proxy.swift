internal import SortieHTTP

/// Which proxy stands between, and where it is.
extension HopSender {
    /// Takes the proxy from a request whose host is reached without it, and finds the address of one that has a name.
    ///
    /// libcurl must not look it up: that would stop everything while it waits (`EngineFacts.md`, headline 3).
    func proxyAddress(for request: inout Request) async throws(NetworkError) -> IPAddress? {
        guard request.options.unixSocket == nil, let proxy = request.options.proxy else { return nil }
        guard proxy.isFor(request.url) else {
            request.options.proxy = nil
            call.decided(.address, "without the proxy: \(request.url.host) is one of its exceptions")
            return nil
        }
        call.decided(.address, "through the proxy \(proxy)\(proxy.resolvesNames ? ", which finds the address of \(request.url.host)" : "")")
        guard IPAddress(proxy.hostForLookup) == nil else { return nil }
        try checkName(proxy.hostForLookup, of: request)
        do throws(NetworkError) {
            return try await find(proxy.hostForLookup, request.options).addresses.first
        } catch {
            throw NetworkError(
                .proxyFailed, "the proxy \(proxy) was not found: \(error.message)", hint: "check --proxy, or proxy: of the service",
                underlying: error.underlying)
        }
    }
}

extension NetworkError {
    /// A proxy that opened no tunnel.
    ///
    /// - Parameter words: libcurl's, with the status of the answer in them.
    static func tunnelRefused(_ spec: TransferSpec, words: String) -> NetworkError {
        let status = words.split(separator: " ").compactMap { Int($0) }.first
        let proxy = spec.options.proxy?.description ?? ""
        guard let status, status >= 100 else {
            return NetworkError(
                .proxyFailed, "the proxy \(proxy) did not answer CONNECT \(spec.url.authority) in proper HTTP",
                hint: "is it an HTTP proxy? check --proxy, or proxy: of the service", underlying: words)
        }
        let hint =
            status == 407
            ? "it wants a login: write it into the URL, http://USER:PASSWORD@HOST:PORT" : "may it open tunnels to \(spec.url.authority)?"
        return NetworkError(
            .proxyFailed, "the proxy \(proxy) opens no tunnel to \(spec.url.authority): it answered \(status)",
            hint: hint,
            underlying: words)
    }
}
