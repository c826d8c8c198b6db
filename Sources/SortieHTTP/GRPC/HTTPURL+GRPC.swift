extension HTTPURL {
    /// The URL of a gRPC method on the server of this URL.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - other: The method whose path this URL may end with, which is replaced; what precedes it is kept.
    package func calling(_ method: GRPCMethodPath, insteadOf other: GRPCMethodPath? = nil) -> HTTPURL {
        var url = self
        let end = "/\(other ?? method)"
        let prefix = path.hasSuffix(end) ? path.dropLast(end.count) : path.hasSuffix("/") ? path.dropLast() : path[...]
        url.path = "\(prefix)/\(method)"
        return url
    }
}
