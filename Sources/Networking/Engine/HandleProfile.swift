internal import Model

/// What a handle is set up for, URL and receiver aside.
///
/// The next request with the same profile goes out with two options set instead of thirty: programs ask a service the same way many times, and setting
/// everything again costs as much as libcurl's own work on a small request.
struct HandleProfile: Equatable {
    let scheme: HTTPURL.Scheme
    let port: UInt16
    let address: IPAddress?
    let proxyAddress: IPAddress?
    let connectTimeout: UInt64
    let pool: Int32?
    let headers: Headers
    let options: Boxed<RequestOptions>

    /// The profile of a GET, nil for an attempt whose handle carries more: another method, a body, an observer.
    init?(_ spec: TransferSpec) {
        guard case .none = spec.body, spec.method == .get, !spec.isObserved, spec.options.digest == nil else { return nil }
        scheme = spec.url.scheme
        port = spec.url.port
        address = spec.address
        proxyAddress = spec.proxyAddress
        connectTimeout = spec.connectTimeout
        pool = spec.pool?.number
        headers = spec.headers
        options = spec.request.$options
    }
}
