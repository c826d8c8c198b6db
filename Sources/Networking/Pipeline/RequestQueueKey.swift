internal import Model

/// Which requests share a channel: those of a service, or those of an origin where there is no service.
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
