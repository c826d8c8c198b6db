internal import SortieHTTP

/// Identifies a request queue: that of a service, or of an origin for requests without a service; downloads may have a separate queue.
enum RequestQueueKey: Hashable, Sendable {
    case service(String)
    case origin(HTTPURL.Scheme, host: String, port: UInt16)

    /// The queue of downloads beside another one.
    indirect case downloads(RequestQueueKey)

    init(_ request: Request) {
        if let service = request.service {
            self = .service(service)
        } else {
            self = .origin(request.url.scheme, host: request.url.host, port: request.url.port)
        }
    }
}
