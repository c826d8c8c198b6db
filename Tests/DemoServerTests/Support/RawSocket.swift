import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sends bytes that no client library sends, and collects the response.
enum RawSocket {
    /// - Returns: All received bytes up to the end of the connection, or until two seconds without data.
    static func exchange(_ bytes: String, port: UInt16) async -> String {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: talk(Array(bytes.utf8), port)) }.start()
        }
    }

    private static func talk(_ bytes: [UInt8], _ port: UInt16) -> String {
        #if canImport(Glibc)
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let file = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(file) }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
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
        guard connected == 0, send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return "not sent" }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer.prefix(count)
        }
    }
}
