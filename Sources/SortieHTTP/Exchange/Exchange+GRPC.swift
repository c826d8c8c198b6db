extension Exchange {
    /// The check of the status of a gRPC call; nil for another exchange, and where there is no response.
    ///
    /// A response without a status did not come from a gRPC server, for example from a proxy.
    package var grpcCheck: ExchangeCheck? {
        guard request.kind == .grpc || request.options.grpc != nil, let response else { return nil }
        let status = response.grpcStatus
        let actual = status?.text ?? "no status of gRPC; the HTTP status is \(response.status)"
        return ExchangeCheck(.grpc, status?.isOK == true ? .passed : .failed, subject: "grpc-status", expected: "OK", actual: actual)
    }
}
