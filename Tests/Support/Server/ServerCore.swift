import Foundation
import Glibc

/// The shared state of a ``ScriptedServer``'s threads, which may outlive the server object.
final class ServerCore: Sendable {
    struct State: Sendable {
        var isStopped = false
        var threads = 0
        var accepted = 0
        /// The descriptors by connection number.
        ///
        /// A descriptor is only closed together with its removal, under the lock.
        var open: [Int: Int32] = [:]
        var requests: [ReceivedRequest] = []
        var gates: [Gate] = []

        var summary: String {
            (["\(accepted) connections accepted, \(open.count) open"] + requests.map(\.description)).joined(separator: "\n")
        }
    }

    let state = Watched(State())
    let port: UInt16
    private let listener: Int32
    private let scripts: [Script]

    init(_ socket: LoopbackSocket, receiveBuffer: Int32?, scripts: [Script]) throws {
        // Set before listening, so that it applies to accepted connections from their first segment.
        if var receiveBuffer {
            setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        if listen(socket.descriptor, 512) == -1 {
            let failure = SystemCallFailure("listen")
            close(socket.descriptor)
            throw failure
        }
        listener = socket.descriptor
        self.port = socket.port
        self.scripts = scripts
    }

    deinit { close(listener) }

    func start() {
        state.change { $0.threads += 1 }
        Thread.detachNewThread { [self] in
            acceptConnections()
            state.change { $0.threads -= 1 }
        }
    }

    func stop() {
        let gates = state.change { state -> [Gate] in
            state.isStopped = true
            for descriptor in state.open.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
            return state.gates
        }
        // Wakes `accept`, which fails with EINVAL from now on.
        shutdown(listener, Int32(SHUT_RDWR))
        for gate in gates { gate.state.nudge() }
        // The limit applies to a `respond` closure that stops its own server; no other thread takes long.
        state.block(within: .seconds(5)) { $0.threads == 0 }
    }

    private func acceptConnections() {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor == -1 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            guard let number = admit(descriptor) else {
                close(descriptor)
                return
            }
            let script = number < scripts.count ? scripts[number] : scripts.last ?? Script([])
            Thread.detachNewThread { [self] in
                let connection = ServerConnection(descriptor, number, self)
                connection.run(script)
                state.change { state in
                    state.open[number] = nil
                    close(descriptor)
                    state.threads -= 1
                }
            }
        }
    }

    /// Registers a connection and returns its number; nil when the server was stopped meanwhile.
    private func admit(_ descriptor: Int32) -> Int? {
        // Swift does not import `accept4`. A child started before this call does not keep the descriptor, because `ChildProcess`
        // closes inherited ones.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        // Each send of a script is to arrive as written, without being merged.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return state.change { state in
            if state.isStopped { return nil }
            defer { state.accepted += 1 }
            state.open[state.accepted] = descriptor
            state.threads += 1
            return state.accepted
        }
    }
}
