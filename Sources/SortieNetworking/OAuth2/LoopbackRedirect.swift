internal import CLinux
internal import Glibc
internal import SortieBase
internal import SortieHTTP
internal import Synchronization

/// The page of this process to which a browser is redirected after a sign-in (RFC 8252 §7.3).
///
/// It listens only on the loopback interface. Requests for other pages, of other methods, or without the expected parameters are refused, and the wait
/// continues: any page that the browser shows can send requests to the port.
final class LoopbackRedirect: Sendable {
    /// The threads that wait for browsers.
    private static let threads = BlockingExecutor(limit: 4)
    /// The maximum size of a request in bytes; browsers send cookies of the host.
    private static let requestLimit = 64 << 10
    /// The maximum number of open connections; browsers open some in advance.
    private static let mostConnections = 16

    /// The URL for the authorization request (`redirect_uri`).
    let url: String

    private let path: String
    private let socket: LoopbackSocket
    /// Becomes readable to end the wait.
    private let wake: Int32
    private let isCancelled = Atomic(false)

    /// Listens on the address of a URL.
    ///
    /// - Parameter text: A URL with `127.0.0.1`, `localhost` or `[::1]`; without a port, a free one is used. An empty text is `http://127.0.0.1/`.
    /// - Throws: `invalidOption` where the URL has another host, and where the port is in use.
    init(_ text: String) throws(NetworkError) {
        let text = text.isEmpty ? "http://127.0.0.1/" : text
        let given: HTTPURL
        do { given = try HTTPURL(parsing: text) } catch { throw Self.invalid("\(error)") }
        guard OAuth2.isLoopback(given) else {
            throw Self.invalid("“\(text)” is not an http URL of this machine; use 127.0.0.1, localhost or [::1], without a query")
        }
        let rest = text.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" }
        let hasPort = authority.drop { $0 != "]" && given.host == "[::1]" }.contains(":")
        let socket = try LoopbackSocket(isVersion6: given.host == "[::1]", port: hasPort ? given.port : 0)
        wake = clinux_eventfd()
        guard wake >= 0 else { throw Self.invalid("no descriptor is free: \(String(cString: strerror(errno)))") }
        (self.socket, path) = (socket, given.path)
        // Servers compare the text with the registered one, so it is as the user wrote it; the port may be any (RFC 8252 §7.3).
        url = hasPort ? text : "http://\(authority):\(socket.port)\(rest.dropFirst(authority.count))"
    }

    deinit { if wake >= 0 { close(wake) } }

    static func invalid(_ problem: String) -> NetworkError { NetworkError(.invalidOption, "OAuth 2: redirectURL: \(problem)") }

    /// Waits for the browser; returns the first query that is accepted.
    ///
    /// - Parameters:
    ///   - seconds: The maximum time.
    ///   - accepts: Whether a query is that of this sign-in.
    /// - Returns: The query; nil after the time.
    /// - Throws: `cancelled` when the task is cancelled.
    func query(within seconds: Double, accepts: @escaping @Sendable (String) -> Bool) async throws(NetworkError) -> String? {
        try await withTaskCancellationHandler {
            await withTaskExecutorPreference(Self.threads) { wait(until: MonotonicClock.now &+ UInt64(seconds * 1e9), accepts) }
        } onCancel: {
            isCancelled.store(true, ordering: .releasing)
            var one: UInt64 = 1
            _ = write(wake, &one, MemoryLayout<UInt64>.size)
        }
        .get()
    }

    /// An open connection of a browser.
    private struct Connection {
        let descriptor: Int32
        var bytes: [UInt8] = []
    }

    private func wait(until deadline: UInt64, _ accepts: (String) -> Bool) -> Result<String?, NetworkError> {
        var connections: [Connection] = []
        defer { for connection in connections { close(connection.descriptor) } }
        while !isCancelled.load(ordering: .acquiring) {
            let now = MonotonicClock.now
            guard now < deadline else { return .success(nil) }
            var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0), pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)]
            polled += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let limit = Int32(clamping: (deadline - now) / 1_000_000 + 1)
            guard poll(&polled, nfds_t(polled.count), limit) >= 0 || errno == EINTR else { return .success(nil) }
            for index in connections.indices.reversed() where polled[index + 2].revents != 0 {
                switch read(&connections[index]) {
                case .incomplete: continue
                case .ended: break
                case .complete(let target):
                    let query = query(of: target)
                    let isAccepted = query.map(accepts) ?? false
                    Self.respond(to: connections[index].descriptor, query == nil ? .notFound : isAccepted ? .received : .unexpected)
                    if isAccepted { return .success(query) }
                }
                close(connections.remove(at: index).descriptor)
            }
            if polled[1].revents != 0 {
                if let descriptor = socket.accept() { connections.append(Connection(descriptor: descriptor)) }
                // The oldest one is the least likely to be used.
                if connections.count > Self.mostConnections { close(connections.removeFirst().descriptor) }
            }
        }
        return .failure(.cancelledByCaller)
    }

    private enum Reading {
        case incomplete, ended
        /// The target of the request; empty for a request that is not GET.
        case complete(String)
    }

    private func read(_ connection: inout Connection) -> Reading {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = recv(connection.descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return .incomplete }
        guard count > 0 else { return .ended }
        connection.bytes += buffer.prefix(count)
        guard connection.bytes.count <= Self.requestLimit else { return .ended }
        let text = String(decoding: connection.bytes, as: UTF8.self)
        guard text.contains("\r\n\r\n") else { return .incomplete }
        let line = text.prefix { $0 != "\r\n" }.split(separator: " ")
        return .complete(line.count == 3 && line[0] == "GET" ? String(line[1]) : "")
    }

    /// The query of a target; nil for a target that is not the page.
    private func query(of target: String) -> String? {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == path else { return nil }
        return String(parts[1])
    }

    private enum Reply: String {
        case received = "The sign-in has reached Sortie. This page can be closed."
        case unexpected = "This is not the sign-in that Sortie is waiting for. Open the page that Sortie displays."
        case notFound = "There is no such page."

        var status: String {
            switch self {
            case .received: "200 OK"
            case .unexpected: "400 Bad Request"
            case .notFound: "404 Not Found"
            }
        }
    }

    private static func respond(to descriptor: Int32, _ reply: Reply) {
        let page = "<!doctype html><meta charset=utf-8><title>Sortie</title><p style=\"font: 1.2em sans-serif; margin: 3em\">\(reply.rawValue)\n"
        let text = """
            HTTP/1.1 \(reply.status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.utf8.count)\r\n\
            Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n\(page)
            """
        // A few hundred bytes fit into the buffer of a new connection; a browser that is gone does not matter.
        _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        shutdown(descriptor, Int32(SHUT_WR))
    }
}

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
