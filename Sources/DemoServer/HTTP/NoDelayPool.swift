import FlyingSocks
import Glibc

/// A socket pool that sets `TCP_NODELAY` on every connection.
///
/// FlyingFox writes the header and the body of a response separately. With Nagle's algorithm the kernel holds back
/// the second write until the client has acknowledged the first, which a client on a persistent connection delays by
/// up to 40 ms (RFC 1122 §4.2.3.4). FlyingFox has no hook for accepted sockets, but it suspends each of them here
/// before it reads a request, so the option is set here.
struct NoDelayPool: AsyncSocketPool {
    let base: any AsyncSocketPool

    func prepare() async throws {
        try await base.prepare()
    }

    func run() async throws {
        try await base.run()
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        if events.contains(.read) {
            try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
