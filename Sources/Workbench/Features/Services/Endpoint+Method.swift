internal import SortieHTTP
internal import WorkspaceModel

extension Endpoint {
    /// The word before the name in Services: the method, or the protocol where all endpoints have the same method.
    var shownMethod: HTTPMethod {
        let name = grpc != nil ? "gRPC" : opensWebSocket ? "WS" : nil
        return name.flatMap { HTTPMethod($0) } ?? method
    }
}
