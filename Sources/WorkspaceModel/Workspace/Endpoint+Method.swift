package import SortieHTTP

extension Endpoint {
    /// The word before the name or the URL: the method, or the protocol where all endpoints have the same method.
    package var shownMethod: HTTPMethod {
        let name = grpc != nil ? "gRPC" : opensWebSocket ? "WS" : nil
        return name.flatMap { HTTPMethod($0) } ?? method
    }
}
