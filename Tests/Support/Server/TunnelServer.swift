import Foundation
import Glibc

/// A proxy that opens tunnels with HTTP's `CONNECT` and SOCKS 5, and records their targets.
public final class TunnelServer: Sendable {
    /// The recorded targets and the open connections.
    struct State: Sendable {
        var targets: [String] = []
        var descriptors: [Int32] = []
        var isStopped = false
        /// Whether the accepting thread has not yet closed the listening socket.
        var isListening = true
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    /// The requested targets as `HOST:PORT`, in order.
    public var targets: [String] { state.current.targets }

    private let listener: Int32
    private let state = Watched(State())

    /// Starts the proxy.
    ///
    /// - Parameters:
    ///   - destination: The port of 127.0.0.1 to which every tunnel leads, whatever its target.
    ///   - login: The required credentials as `USER:PASSWORD`; nil for none.
    public init(to destination: UInt16, login: String? = nil) throws {
        let socket = try LoopbackSocket(address: "127.0.0.1", port: 0)
        try checked(listen(socket.descriptor, 64), "listen")
        (listener, port) = (socket.descriptor, socket.port)
        Thread.detachNewThread { [listener, state] in
            // Only this thread closes the socket, so that it never accepts connections of another socket that has the same number later.
            defer {
                state.change { state in
                    state.isListening = false
                    close(listener)
                }
            }
            while true {
                let client = accept(listener, nil, nil)
                if client == -1, errno == EINTR { continue }
                guard client >= 0 else { return }
                let isWanted = state.change { state in
                    if !state.isStopped { state.descriptors.append(client) }
                    return !state.isStopped
                }
                guard isWanted else {
                    close(client)
                    return
                }
                Thread.detachNewThread { Tunnel(client: client, destination: destination, login: login, state: state).run() }
            }
        }
    }

    deinit {
        state.change { state in
            state.isStopped = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
            // Wakes `accept`, which fails from now on.
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
        }
    }
}

/// A client of a ``TunnelServer``.
private struct Tunnel {
    let client: Int32
    let destination: UInt16
    let login: String?
    let state: Watched<TunnelServer.State>

    func run() {
        defer {
            state.change { $0.descriptors.removeAll { $0 == client } }
            close(client)
        }
        guard let first = read(1)?.first, let open = first == 5 ? socks() : connect(first), open else { return }
        guard let server = dial() else { return }
        defer { close(server) }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.copy(from: server, to: client)
            done.signal()
        }
        Self.copy(from: client, to: server)
        done.wait()
    }

    // MARK: HTTP

    /// Handles `CONNECT HOST:PORT`.
    ///
    /// False for a rejected request; nil when the client closed the connection.
    private func connect(_ first: UInt8) -> Bool? {
        var head = [first]
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 65_536, let next = read(1) else { return nil }
            head += next
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[0] == "CONNECT" else {
            send("HTTP/1.1 400 Not a tunnel\r\nContent-Length: 0\r\n\r\n")
            return false
        }
        if let login {
            let wanted = "Proxy-Authorization: Basic " + Data(login.utf8).base64EncodedString()
            guard lines.contains(wanted) else {
                send("HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
                return false
            }
        }
        state.change { $0.targets.append(String(words[1])) }
        send("HTTP/1.1 200 Here you are\r\nX-Proxy: tunnel\r\n\r\n")
        return true
    }

    // MARK: SOCKS 5 (RFC 1928, RFC 1929)

    private func socks() -> Bool? {
        guard let count = read(1)?.first, read(Int(count)) != nil else { return nil }
        if let login {
            send([5, 2])
            guard read(1) != nil, let userCount = read(1)?.first, let user = read(Int(userCount)), let wordCount = read(1)?.first,
                let word = read(Int(wordCount))
            else { return nil }
            let isRight = Array(login.utf8) == user + [UInt8(ascii: ":")] + word
            send([1, isRight ? 0 : 1])
            guard isRight else { return false }
        } else {
            send([5, 0])
        }
        guard let head = read(4) else { return nil }
        let host: String
        switch head[3] {
        case 1:
            guard let bytes = read(4) else { return nil }
            host = bytes.map { String($0) }.joined(separator: ".")
        case 3:
            guard let length = read(1)?.first, let bytes = read(Int(length)) else { return nil }
            host = String(decoding: bytes, as: UTF8.self)
        default: return false
        }
        guard let port = read(2) else { return nil }
        state.change { $0.targets.append("\(host):\(Int(port[0]) << 8 | Int(port[1]))") }
        send([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
        return true
    }

    // MARK: Bytes

    private func dial() -> Int32? {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = destination.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard result == 0 else {
            close(server)
            return nil
        }
        return server
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(client, &buffer, buffer.count, 0)
            guard got > 0 else { return nil }
            bytes += buffer[..<got]
        }
        return bytes
    }

    private func send(_ text: String) { send(Array(text.utf8)) }

    private func send(_ bytes: [UInt8]) {
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func copy(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = recv(source, &buffer, buffer.count, 0)
            guard got > 0, Glibc.send(target, buffer, got, Int32(MSG_NOSIGNAL)) == got else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }
}
