/// How a request enters an open tunnel.
package struct TunnelRoute: Hashable, Sendable {
    /// Where connections begin instead of at the server.
    package enum Entrance: Hashable, Sendable {
        /// A Unix socket with a SOCKS 5 proxy, which resolves the names of hosts (RFC 1928).
        case socks(path: String)
        /// A port of 127.0.0.1 that leads to one server.
        case port(UInt16)
    }

    /// The name of the tunnel in messages.
    package var name: String
    /// Where connections begin.
    package var entrance: Entrance

    /// Creates a route.
    package init(name: String, entrance: Entrance) {
        self.name = name
        self.entrance = entrance
    }
}
