import Glibc

/// A TCP socket that is bound to an address of this machine; the caller closes it.
struct LoopbackSocket {
    let descriptor: Int32
    let port: UInt16

    /// Takes a socket that is bound to a port.
    init(descriptor: Int32, port: UInt16) { (self.descriptor, self.port) = (descriptor, port) }

    /// Binds a numeric IPv4 or IPv6 address and a port; 0 selects a free port.
    init(address: String, port: UInt16) throws {
        let isIPv6 = address.contains(":")
        let descriptor = try checked(
            socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket")
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        do {
            self.port =
                isIPv6
                ? try Self.bindIPv6(descriptor, address, port) : try Self.bindIPv4(descriptor, address, port)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// The host in the form for a URL.
    static func host(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }

    /// The numeric address of the peer; empty when the connection is closed.
    static func peer(of descriptor: Int32) -> String {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failed = withUnsafeMutableBytes(of: &address) { bytes in
            guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return true }
            return getpeername(descriptor, generic, &size) != 0
                || getnameinfo(generic, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) != 0
        }
        return failed ? "" : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bindIPv4(_ descriptor: Int32, _ text: String, _ port: UInt16) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { throw SystemCallFailure("inet_pton(\(text))", EINVAL) }
        try bindAndAsk(descriptor, &address, "\(text):\(port)")
        return UInt16(bigEndian: address.sin_port)
    }

    private static func bindIPv6(_ descriptor: Int32, _ text: String, _ port: UInt16) throws -> UInt16 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { throw SystemCallFailure("inet_pton(\(text))", EINVAL) }
        try bindAndAsk(descriptor, &address, "[\(text)]:\(port)")
        return UInt16(bigEndian: address.sin6_port)
    }

    /// Binds to `address` and replaces it with the actual address.
    private static func bindAndAsk<Address>(_ descriptor: Int32, _ address: inout Address, _ name: String) throws {
        var size = socklen_t(MemoryLayout<Address>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                try checked(bind(descriptor, generic, size), "bind \(name)")
                try checked(getsockname(descriptor, generic, &size), "getsockname \(name)")
            }
        }
    }
}
