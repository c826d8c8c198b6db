internal import SortieHTTP

/// The options of a configured handle, except the URL and the sink.
///
/// The next request with the same profile sets two options instead of thirty. Programs send the same kind of request
/// to a service many times, and setting all options again costs as much as libcurl's own work on a small request.
///
/// A class, because it is kept by handles and compared with every request.
final class HandleOptions: Equatable {
    let scheme: HTTPURL.Scheme
    let port: UInt16
    let address: IPAddress?
    let proxyAddress: IPAddress?
    let tunnel: TunnelRoute?
    let connectTimeout: UInt64
    let pool: Int32?
    let headers: Headers
    let options: CopyOnWrite<RequestOptions>

    /// The profile of a GET; nil for an attempt that needs more options: another method, a body, an observer,
    /// authentication by libcurl, a connection that is not reused.
    ///
    /// Also nil for a connection with a synthetic host name (`EasyHandle.configureSeparateConnection`): libcurl reads its
    /// address only when the option is set, and forgets it after a minute.
    init?(_ spec: TransferRequest) {
        guard case .none = spec.body, spec.method == .get, !spec.isObserved, spec.options.login == nil, !spec.options.negotiates,
            spec.options.interface == nil, spec.options.serviceType == .standard, spec.webSocket == nil
        else { return nil }
        scheme = spec.url.scheme
        port = spec.url.port
        address = spec.address
        proxyAddress = spec.proxyAddress
        tunnel = spec.tunnel
        connectTimeout = spec.connectTimeout
        pool = spec.pool?.number
        headers = spec.headers
        options = spec.request.sharedOptions
    }

    static func == (left: HandleOptions, right: HandleOptions) -> Bool {
        left === right
            || left.scheme == right.scheme && left.port == right.port && left.address == right.address && left.proxyAddress == right.proxyAddress
                && left.tunnel == right.tunnel
                && left.connectTimeout == right.connectTimeout && left.pool == right.pool && left.headers == right.headers
                && left.options == right.options
    }
}
