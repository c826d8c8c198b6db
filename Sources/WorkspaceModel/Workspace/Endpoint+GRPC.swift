package import SortieHTTP

extension Endpoint {
    /// The method of an endpoint whose file has none.
    package var defaultMethod: HTTPMethod { grpc == nil ? body.defaultMethod : .post }
}

extension Expectation {
    /// Whether a condition names the status of gRPC, so that one other than OK can be the expected one.
    package var namesGRPCStatus: Bool { headers.contains { $0.isEnabled && $0.name.lowercased() == "grpc-status" } }
}
