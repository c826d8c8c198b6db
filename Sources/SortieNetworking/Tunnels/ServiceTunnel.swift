package import SortieHTTP

/// A program that carries the requests of a service to another network; it is started by the first of them.
package protocol ServiceTunnel: Sendable {
    /// The name in messages.
    var name: String { get }

    /// Whether it leads to one server, so that requests to other origins must not use it.
    var leadsToOneServer: Bool { get }

    /// Whether the tunnel's program runs.
    var isRunning: Bool { get }

    /// The route through the tunnel, which is opened unless it is open, and the lines that its program wrote since the last call.
    func open() async throws(NetworkError) -> (route: TunnelRoute, lines: [String])

    /// The lines that the program wrote since the last call.
    func takeLines() -> [String]

    /// The lines that the program wrote since the last call; waits a moment for the first one.
    func newLines() async -> [String]
}

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
        (self.name, self.entrance) = (name, entrance)
    }
}
