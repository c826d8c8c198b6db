internal import SortieHTTP

/// What a request needs for a call of gRPC (gRPC over HTTP/2, “Requests”).
enum GRPCRequest {
    static let contentType = "application/grpc+proto"

    /// Sets the path, the version, the method and the fields.
    ///
    /// - Parameters:
    ///   - path: The method; nil leaves the path as it is.
    ///   - seconds: The time that is left for the call; nil for no limit.
    static func prepare(_ request: inout Request, _ path: GRPCMethodPath? = nil, secondsLeft seconds: Double?) {
        if let path {
            request.url = request.url.calling(path)
            request.otherServers = request.otherServers.map { $0.calling(path) }
        }
        request.method = .post
        request.options.version = .http2
        // A status of gRPC is in the trailer, which the cache does not have.
        request.options.cacheLifetime = nil
        request.headers["Content-Type"] = contentType
        request.headers["TE"] = "trailers"
        request.headers["Accept-Encoding"] = nil
        request.options.decompresses = false
        if let seconds, !request.headers.contains("grpc-timeout") { request.headers["grpc-timeout"] = timeout(seconds) }
    }

    /// A time limit with at most eight digits.
    private static func timeout(_ seconds: Double) -> String {
        let milliseconds = max(1, (seconds * 1000).rounded(.up))
        if milliseconds < 100_000_000 { return "\(Int(milliseconds))m" }
        return "\(Int(min(milliseconds / 1000, 99_999_999)))S"
    }
}
