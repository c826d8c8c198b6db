import Glibc

/// A value that occupies a port of this machine.
public protocol PortOwner {
    /// The port.
    var port: UInt16 { get }
}

extension ScriptedServer: PortOwner {}

extension DeadPort: PortOwner {}

/// Creates `first`, which selects a free port of its address, and then `second` with this port of another address.
///
/// A port that is free at one address may be in use at another one. Then both are created again, with another port.
///
/// - Throws: any other error of either; the error for a port in use after twenty attempts.
public func onOnePort<First: PortOwner, Second>(
    _ first: @autoclosure () throws -> First, _ second: (UInt16) throws -> Second
) throws -> (First, Second) {
    try onOnePort(try first(), port: { $0.port }, second)
}

/// Creates both values as ``onOnePort(_:_:)`` does, where `port` returns the port of the first one.
public func onOnePort<First, Second>(
    _ first: @autoclosure () throws -> First, port: (First) -> UInt16, _ second: (UInt16) throws -> Second
) throws -> (First, Second) {
    for _ in 1..<20 {
        do {
            let made = try first()
            return (made, try second(port(made)))
        } catch let failure as SystemCallFailure where failure.code == EADDRINUSE { continue }
    }
    let made = try first()
    return (made, try second(port(made)))
}
