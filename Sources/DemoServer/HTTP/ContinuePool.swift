import FlyingSocks
import Foundation
import Synchronization

/// A socket pool that handles `Expect: 100-continue`, which FlyingFox does not support.
///
/// The handler reads the body in its own task, so the pending 100 response is passed as a task-local value. It is
/// sent just before the first wait for body bytes (RFC 9110 §10.1.1), and not at all when the body has already
/// arrived.
struct ContinuePool: AsyncSocketPool {
    let base: any AsyncSocketPool

    /// An interim response that is sent at most once.
    final class Pending: Sendable {
        private let sent = Mutex(false)

        func takeOnce() -> Bool {
            sent.withLock { sent in
                defer { sent = true }
                return !sent
            }
        }
    }

    @TaskLocal static var pending: Pending?

    func prepare() async throws {
        try await base.prepare()
    }

    func run() async throws {
        try await base.run()
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        if events.contains(.read), let pending = Self.pending, pending.takeOnce() {
            // 25 bytes to an idle socket: the kernel accepts all of them, or the connection is closed.
            _ = try socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
