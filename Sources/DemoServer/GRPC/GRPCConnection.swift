import FlyingSocks
import Foundation
internal import SortieHTTP

/// A connection of a client of gRPC.
actor GRPCConnection {
    /// A connection that sends nothing for this time is closed; no response takes longer.
    static let idleLimit = Duration.seconds(300)

    private let socket: AsyncSocket
    private let session: HTTP2Session
    private let services: GRPCServices
    private var lastActivity = ContinuousClock.now
    private var isWriting = false

    init(socket: AsyncSocket, services: GRPCServices) throws {
        (self.socket, self.services) = (socket, services)
        session = try HTTP2Session()
    }

    /// Serves the requests until the client disconnects, sends invalid bytes or is idle, or until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitUntilIdle() }
            group.addTask { await self.serve() }
            await group.next()
            group.cancelAll()
        }
    }

    private func waitUntilIdle() async {
        while true {
            let end = lastActivity.advanced(by: Self.idleLimit)
            guard end > .now else { return }
            do { try await ContinuousClock().sleep(until: end) } catch { return }
        }
    }

    private func serve() async {
        await withDiscardingTaskGroup { group in
            do {
                try await flush()
                while !session.isEnded {
                    let bytes = try await socket.read(atMost: 16 << 10)
                    lastActivity = .now
                    for request in try session.receive(bytes) { group.addTask { await self.respond(to: request) } }
                    try await flush()
                }
            } catch {
                // The client has disconnected or sent bytes that are not HTTP/2, or the server stops: the connection ends.
            }
            group.cancelAll()
        }
    }

    private func respond(to request: HTTP2Request) async {
        let stream = request.stream
        do {
            guard request.header[":method"] == "POST", request.header["content-type"]?.hasPrefix("application/grpc") == true else {
                try session.respond(stream, [(":status", "415"), ("content-length", "0")], hasBody: false)
                return try await flush()
            }
            let trailer = try await services.call(request) { message in try await self.send(message, to: stream) }
            if session.hasBegun(stream) {
                session.end(stream, trailer: trailer)
            } else {
                try session.respond(stream, Self.header + trailer, hasBody: false)
            }
            try await flush()
        } catch {
            // The stream or the connection has ended, which needs no response.
        }
    }

    private static let header: [HTTP2Session.Field] = [(":status", "200"), ("content-type", "application/grpc")]

    private func send(_ message: [UInt8], to stream: Int32) async throws {
        guard session.isOpen(stream) else { throw CancellationError() }
        if !session.hasBegun(stream) { try session.respond(stream, Self.header, hasBody: true) }
        session.send(GRPCFrames.frame(message), to: stream)
        try await flush()
    }

    /// Writes what the session has to send; one caller writes at a time, also what others add meanwhile.
    private func flush() async throws {
        guard !isWriting else { return }
        isWriting = true
        defer { isWriting = false }
        while let bytes = try session.nextBytes() { try await socket.write(Data(bytes)) }
    }
}
