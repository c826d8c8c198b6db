internal import SortieHTTP

/// Identifies a request queue: that of a service, or of an origin for requests without a service; downloads and resources may have separate queues.
enum RequestQueueKey: Hashable, Sendable {
    case service(String)
    case origin(HTTPURL.Scheme, host: String, port: UInt16)

    /// The queue of downloads beside another one.
    indirect case downloads(RequestQueueKey)
    /// The queue of resources, such as images, beside another one.
    indirect case resources(RequestQueueKey)

    init(_ request: Request) {
        if let service = request.service {
            self = .service(service)
        } else {
            self = .origin(request.url.scheme, host: request.url.host, port: request.url.port)
        }
    }
}
