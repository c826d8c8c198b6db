import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sends bytes that no client library sends, and collects the response.
enum RawSocket {
    /// - Returns: All received bytes up to the end of the connection, or until these seconds without data.
    static func exchange(_ bytes: String, port: UInt16, patience: Int = 2) async -> String {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: talk(Array(bytes.utf8), port, patience)) }.start()
        }
    }

    private static func talk(_ bytes: [UInt8], _ port: UInt16, _ patience: Int) -> String {
        guard let file = connected(to: port, patience: patience) else { return "not sent" }
        defer { close(file) }
        guard send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return "not sent" }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
            received += buffer.prefix(count)
        }
    }

    /// A connection to a port of this machine; nil where it is refused.
    private static func connected(to port: UInt16, patience: Int) -> Int32? {
        #if canImport(Glibc)
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let file = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(file)
            return nil
        }
        return file
    }

    /// Whether a server of this process has set `TCP_NODELAY` on a connection when it sends the first byte of a response; nil where it sends none.
    static func serverHasNoDelay(port: UInt16) async throws -> Bool? {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try noDelay(port) }) }.start()
        }
    }

    private static func noDelay(_ port: UInt16) throws -> Bool? {
        guard let file = connected(to: port, patience: 300) else { return nil }
        defer { close(file) }
        let request = Array("GET /orders HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        var byte: UInt8 = 0
        guard send(file, request, request.count, Int32(MSG_NOSIGNAL)) == request.count, recv(file, &byte, 1, 0) == 1 else { return nil }
        let own = Self.port(of: file, getsockname)
        // The other end of the connection is a descriptor of this process, which may have thousands.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        for other in descriptors.compactMap({ Int32($0) }) where other != file {
            guard Self.port(of: other, getpeername) == own, Self.port(of: other, getsockname) == port else { continue }
            var (isSet, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            guard getsockopt(other, Int32(IPPROTO_TCP), TCP_NODELAY, &isSet, &size) == 0 else { continue }
            return isSet != 0
        }
        return nil
    }

    /// The port of one end of a connection; nil where the descriptor is none of IPv4.
    private static func port(
        of file: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(file, $0, &size) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}
