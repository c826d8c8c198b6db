import Foundation
import Glibc

/// The identity of an open connection.
///
/// FlyingFox passes the client's address to a handler, and tells neither the socket nor the end of a connection. The port alone is no identity, because a
/// later connection may have the same one and would be authenticated by the earlier; the kernel gives each socket an inode of its own.
struct ClientConnection: Sendable {
    /// The port of the client.
    let port: UInt16
    /// The inodes of this process's sockets whose other end has the port: one, or several when the client has connections with the same port to
    /// other servers of this process.
    private let sockets: Set<UInt64>

    /// The connection of a request that is being handled.
    init(port: UInt16) {
        self.port = port
        var found: Set<UInt64> = []
        let descriptors: [String]
        do { descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") } catch { descriptors = [] }
        for descriptor in descriptors.compactMap(Int32.init) where Self.peer(of: descriptor) == port {
            var status = stat()
            if fstat(descriptor, &status) == 0 { found.insert(UInt64(status.st_ino)) }
        }
        sockets = found
    }

    /// Whether both are the same connection.
    func isSame(as other: ClientConnection) -> Bool { port == other.port && !sockets.isDisjoint(with: other.sockets) }

    /// The port of the other end; nil for a descriptor that is no connection of IPv4.
    private static func peer(of descriptor: Int32) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}
