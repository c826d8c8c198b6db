internal import Glibc
internal import SortieHTTP

/// A socket that listens on the loopback interface; it is closed with the last reference.
final class LoopbackSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    /// - Parameter port: The port; 0 for a free one.
    /// - Throws: `invalidOption` where the port is in use.
    init(isVersion6: Bool, port: UInt16) throws(NetworkError) {
        let type: Int32 = 1 /* SOCK_STREAM, which CCurl hides */ | 0o2000000 /* SOCK_CLOEXEC */ | 0o4000 /* SOCK_NONBLOCK */
        descriptor = socket(isVersion6 ? AF_INET6 : AF_INET, type, 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let listening = isVersion6 ? Self.listen6(descriptor, port) : Self.listen4(descriptor, port)
        self.port = listening ?? 0
        guard listening != nil else {
            throw LoopbackRedirect.invalid(
                "port \(port) cannot be used: \(String(cString: strerror(errno))); end the program that uses it, or register another port")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next connection, which does not block; nil for none.
    func accept() -> Int32? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        return connection
    }

    private static func listen4(_ descriptor: Int32, _ port: UInt16) -> UInt16? {
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return listen(descriptor, &address) ? UInt16(bigEndian: address.sin_port) : nil
    }

    private static func listen6(_ descriptor: Int32, _ port: UInt16) -> UInt16? {
        var address = sockaddr_in6()
        (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
        return listen(descriptor, &address) ? UInt16(bigEndian: address.sin6_port) : nil
    }

    /// Binds the socket, listens, and stores the address with its port.
    private static func listen<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
        var length = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeMutablePointer(to: &address) { start in
            start.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 16) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
    }
}
