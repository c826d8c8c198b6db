public import Model

/// Where typed endpoints are sent: a base URL and what all requests to it share.
///
/// A value, so that an environment is another value (S1.7, S2.3).
public struct Server: Hashable, Sendable {
    /// The base URL; paths are joined to it with exactly one `/` (S2.5).
    public var base: String
    /// The channel and configuration that requests go through; those of the origin where nil.
    public var service: String?
    /// Header fields of every request.
    public var headers: Headers

    /// A server.
    public init(_ base: String, service: String? = nil, headers: Headers = []) {
        self.base = base
        self.service = service
        self.headers = headers
    }
}
