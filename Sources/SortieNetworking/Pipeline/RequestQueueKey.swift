internal import SortieHTTP

/// Identifies a request queue: that of a service, or of an origin for requests without a service.
enum RequestQueueKey: Hashable {
    case service(String)
    case origin(HTTPURL.Scheme, host: String, port: UInt16)

    init(_ request: Request) {
        if let service = request.service {
            self = .service(service)
        } else {
            self = .origin(request.url.scheme, host: request.url.host, port: request.url.port)
        }
    }
}
