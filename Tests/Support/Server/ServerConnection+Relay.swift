import Glibc

extension ServerConnection {
    /// Connects to a port of 127.0.0.1 and relays bytes until either side closes or the server is stopped, which ends the script, or until the client was
    /// sent `limit` bytes.
    func relay(to port: UInt16, limit: Int?) throws {
        let target = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard target >= 0 else { throw Ended.now }
        defer { close(target) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(target, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard result == 0 else { throw Ended.now }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var rest = limit ?? .max
        while rest > 0 {
            var watched = [descriptor, target].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // `stop` shuts down the client's descriptor, which ends the wait.
            guard poll(&watched, 2, -1) > 0 else { continue }
            for (from, to) in [(0, target), (1, descriptor)] where watched[from].revents != 0 {
                let count = recv(watched[from].fd, &buffer, from == 0 ? buffer.count : min(buffer.count, rest), 0)
                guard count > 0, Glibc.send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { throw Ended.now }
                if from == 1 { rest -= count }
            }
        }
    }
}
