/// How many requests and connections a service, or an origin without one, may have at the same time.
public struct RequestLimits: Hashable, Sendable {
    /// The maximum number of requests in flight; nil for the standard of 64.
    public var requests: Int?
    /// The maximum number of open connections, including idle ones; nil for no limit.
    ///
    /// HTTP/2 requests share connections.
    public var connections: Int?
    /// The maximum number of requests of downloads in flight, in a separate session: they use separate connections, and neither take places of
    /// ``requests`` nor wait for them.
    ///
    /// With nil, downloads share the places of other requests, of which they leave a quarter free.
    public var downloads: Int?
    /// The same for requests of resources (`Traffic.resource`, such as images).
    public var resources: Int?

    /// Creates limits; by default, the standard ones.
    public init(requests: Int? = nil, connections: Int? = nil, downloads: Int? = nil, resources: Int? = nil) {
        (self.requests, self.connections, self.downloads, self.resources) = (requests, connections, downloads, resources)
    }

    /// These limits, and those of the layer below where they have none.
    package func over(_ lower: RequestLimits) -> RequestLimits {
        RequestLimits(
            requests: requests ?? lower.requests, connections: connections ?? lower.connections, downloads: downloads ?? lower.downloads,
            resources: resources ?? lower.resources)
    }
}
