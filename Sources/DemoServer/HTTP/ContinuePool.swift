import FlyingSocks
import Foundation
import Synchronization

/// A socket pool that answers `Expect: 100-continue`, which FlyingFox itself does not.
///
/// The handler reads the body in its own task, so the pending answer travels as a task-local value; it is sent just
/// before the first wait for body bytes (RFC 9110 §10.1.1), and never when the body was already there.
struct ContinuePool: AsyncSocketPool {
    let base: any AsyncSocketPool

    /// One interim answer that is sent at most once.
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
            // 25 bytes into an idle socket: the kernel takes them whole or the connection is gone.
            _ = try socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
