internal import SortieHTTP

/// The times of an attempt that a ``Transport`` measured or made up, since the start of the attempt.
public struct TransportTiming: Hashable, Sendable {
    /// The name was resolved; nil where none was.
    public var nameLookup: Duration?
    /// The connection was established; nil on a reused connection.
    public var connect: Duration?
    /// The TLS handshake was complete; nil without TLS or on a reused connection.
    public var tls: Duration?
    /// The first byte of the response arrived.
    public var firstByte: Duration?
    /// The attempt ended; nil for the time that the client measures.
    public var total: Duration?

    /// Creates times.
    ///
    /// - Parameters:
    ///   - nameLookup: The name was resolved; nil where none was.
    ///   - connect: The connection was established; nil on a reused connection.
    ///   - tls: The TLS handshake was complete; nil without TLS or on a reused connection.
    ///   - firstByte: The first byte of the response arrived.
    ///   - total: The attempt ended; nil for the time that the client measures.
    public init(nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, firstByte: Duration? = nil, total: Duration? = nil) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
    }

    /// Writes the times that are given.
    func write(to timing: inout Timing) {
        func seconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e9 }
        if let nameLookup { timing.nameLookup = seconds(nameLookup) }
        if let connect { timing.connect = seconds(connect) }
        if let tls { timing.tls = seconds(tls) }
        if let firstByte { timing.firstByte = seconds(firstByte) }
        if let total { timing.total = seconds(total) }
    }
}
