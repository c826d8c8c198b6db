import Dispatch
import FlyingFox
import FlyingSocks
import Foundation
import Glibc
import Synchronization

/// A socket pool that ends connections whose request header is too large.
///
/// FlyingFox does not limit headers, and the time for a line grows with the square of its length: 200 kB keep a thread of the server busy for 20 s, and
/// two such requests keep all of them busy. There is no hook between the pieces of a header, so that the connections are examined on another thread as long
/// as a header is being read.
final class HeaderGuard: SocketPoolLayer {
    let base: any AsyncSocketPool
    /// The number of bytes that a header which takes longer than ``interval`` may have.
    private let limit: UInt64
    private let queue = DispatchQueue(label: "sortie.headers")
    private let state = Mutex(State())

    private static let interval = DispatchTimeInterval.milliseconds(250)
    private static let refusal = "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    private struct State {
        /// The descriptors that wait for bytes.
        var waiting: Set<Int32> = []
        /// The local port of all connections.
        var port: UInt16?
        /// What each client, by its port, last did.
        var clients: [UInt16: Client] = [:]
        var isExamining = false
    }

    private enum Client {
        /// Its request is handled, which includes the body, or it has a WebSocket connection.
        case handled
        /// The response to its request is complete.
        case answered
        /// A further header begins after this number of bytes.
        case reading(from: UInt64)
    }

    init(base: any AsyncSocketPool, limit: Int) {
        (self.base, self.limit) = (base, UInt64(limit))
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let descriptor = socket.file.rawValue
        state.withLock {
            $0.waiting.insert(descriptor)
            if $0.port == nil { $0.port = Self.port(getsockname, descriptor) }
        }
        defer {
            state.withLock { _ = $0.waiting.remove(descriptor) }
            if events.contains(.read) { examineLater() }
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }

    /// The header of a client's request is complete.
    func begin(_ port: UInt16) { state.withLock { $0.clients[port] = .handled } }

    /// The request of a client was handled.
    func end(_ port: UInt16) {
        state.withLock { $0.clients[port] = .answered }
        examineLater()
    }

    private func examineLater() {
        let isFirst = state.withLock { !Swift.exchange(&$0.isExamining, with: true) }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.examine() } }
    }

    /// Ends the connections with a header above the limit; continues later where a header is still being read.
    private func examine() {
        var isReading = false
        var connected: Set<UInt16> = []
        let descriptors: [String]
        do { descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") } catch { descriptors = [] }
        let port = state.withLock {
            $0.isExamining = false
            return $0.port
        }
        for descriptor in descriptors.compactMap(Int32.init) {
            guard let port, Self.port(getsockname, descriptor) == port, let client = Self.port(getpeername, descriptor) else { continue }
            connected.insert(client)
            guard let size = headerSize(descriptor, client), size > 0 else { continue }
            if size > limit { Self.refuse(descriptor) } else { isReading = true }
        }
        state.withLock { state in state.clients = state.clients.filter { connected.contains($0.key) } }
        if isReading { examineLater() }
    }

    /// The number of bytes that were read of the header; nil where none is being read.
    private func headerSize(_ descriptor: Int32, _ client: UInt16) -> UInt64? {
        guard let read = Self.bytesRead(descriptor) else { return nil }
        return state.withLock { state in
            guard !state.waiting.contains(descriptor) else { return nil }
            switch state.clients[client] {
            case .handled: return nil
            case .answered:
                state.clients[client] = .reading(from: read)
                return nil
            case .reading(let start) where start <= read: return read - start
            // Another connection had the port.
            case .reading, nil: return read
            }
        }
    }

    /// Responds, and aborts the connection: bytes that have arrived would still be read after a shutdown.
    private static func refuse(_ descriptor: Int32) {
        _ = send(descriptor, refusal, refusal.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        var none = sockaddr()
        none.sa_family = sa_family_t(AF_UNSPEC)
        _ = connect(descriptor, &none, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// The number of bytes that arrived and are not in the buffer of the kernel any more.
    private static func bytesRead(_ descriptor: Int32) -> UInt64? {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { information in
            // The field tcpi_bytes_received of tcp_info, which the declaration of older C libraries does not have.
            let place = 128
            var size = socklen_t(information.count)
            var unread: Int32 = 0
            guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, information.baseAddress, &size) == 0, Int(size) >= place + 8,
                ioctl(descriptor, UInt(FIONREAD), &unread) == 0
            else { return nil }
            let received = information.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            return received - min(received, UInt64(max(0, unread)))
        }
    }

    /// The port of one end of a connection of IPv4; nil for another descriptor.
    private static func port(
        _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32, _ descriptor: Int32
    ) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}

/// A handler that tells the guard when a header is complete, and when the request has ended.
struct GuardedHandler: HTTPHandler {
    let base: any HTTPHandler
    let headers: HeaderGuard

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard case .ip4(_, let port)? = request.remoteAddress else { return try await base.handleRequest(request) }
        headers.begin(port)
        do {
            let response = try await base.handleRequest(request)
            if response.statusCode != .switchingProtocols { headers.end(port) }
            return response
        } catch {
            headers.end(port)
            throw error
        }
    }
}
