public import SortieHTTP

/// One attempt as a ``Transport`` receives it: the request after redirects, plugins, cookies and signatures.
public struct TransportRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The URL.
    public let url: HTTPURL
    /// All header fields in the order in which they are sent, also those that the client adds, such as `Host` and `Content-Length`.
    public let headers: Headers
    /// The body.
    public let body: TransportBody
    /// The options of the request, merged from all layers.
    public let options: RequestOptions
    /// The limit of the time without a byte in either direction, which the client enforces.
    public let idleLimit: Duration
    /// The time until the total time limit expires, which the client enforces; nil without a limit.
    public let timeLeft: Duration?

    /// Opens the files of the body.
    ///
    /// - Parameter onSent: Called with the number of body bytes that the transport has read, on any thread.
    init(_ spec: TransferRequest, onSent: @escaping @Sendable (Int64) -> Void) throws(NetworkError) {
        method = spec.method
        url = spec.url
        options = spec.options
        body = try TransportBody(spec, onSent: onSent)
        var headers = PlannedHeader(spec.request).fields
        if let boundary = body.boundary, case .multipart = spec.body {
            headers["Content-Type"] = "multipart/form-data; boundary=\(boundary)"
            if let length = body.length { headers.append("Content-Length", String(length)) }
        }
        self.headers = headers
        idleLimit = spec.idleLimit
        timeLeft = spec.deadline.map { deadline in
            let now = MonotonicClock.now
            return .nanoseconds(Int64(clamping: deadline - min(deadline, now)))
        }
    }
}
