import SortieHTTP
import Support

@testable import SortieNetworking

/// Performs a case: a client that sends each message back is connected to a server that sends the bytes of the case.
struct ConformanceRun {
    /// What the program got from the library.
    private(set) var messages: [WebSocketMessage] = []
    /// The code of the received Close frame, within an optional for no frame.
    private(set) var receivedClose: UInt16??
    private(set) var violatedRule: WebSocketError.Rule?
    private(set) var otherError: NetworkError?
    /// What the client sent after its handshake.
    private(set) var frames: [ClientFrame] = []

    /// The response to the handshake of a request.
    static func upgrade(adding fields: String = "") -> Step {
        .respond { request in
            let accept = WebSocketHandshake(key: request["Sec-WebSocket-Key"] ?? "").accept
            return Array(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n"
                    .utf8)
        }
    }

    init() {}

    init(_ row: ConformanceCase) async throws {
        try await self.init(Script([.readRequest, Self.upgrade()] + Self.steps(of: row)))
    }

    /// Connects to a server with this script, which ends by reading everything.
    init(_ script: Script, maximumMessageBytes: Int = 64 << 20) async throws {
        let server = try ScriptedServer(script)
        let request = try Request.to(server.url)
        self = try await withDeadline(.seconds(300), "the end of the connection") {
            var run = ConformanceRun()
            await run.open(request, maximumMessageBytes: maximumMessageBytes)
            try await server.waitForConnections(open: 0)
            run.frames = try ClientFrame.parse(server.requests.first?.body ?? [])
            return run
        }
    }

    /// Opens a connection and sends each message back until it ends.
    mutating func open(_ request: Request, maximumMessageBytes: Int = 64 << 20) async {
        do throws(NetworkError) {
            // Every server closes the socket, on a busy machine later than the usual limits.
            let socket = try await Client().webSocket(
                request, maximumMessageBytes: maximumMessageBytes, closingLimits: WebSocketClosingLimits(.seconds(60)))
            for try await event in socket.events {
                guard event.direction == .received else { continue }
                switch event.content {
                case .message(let message):
                    messages.append(message)
                    // The sequence reports why a message is not sent.
                    do throws(NetworkError) { try await socket.send(message) } catch {}
                case .close(let close): receivedClose = .some(close.code)
                case .reconnected: break
                }
            }
        } catch {
            violatedRule = error.underlying.flatMap { WebSocketError.Rule(rawValue: $0) }
            if violatedRule == nil { otherError = error }
        }
    }

    // MARK: The server

    private static func steps(of row: ConformanceCase) -> [Step] {
        let close = ServerFrame.close(1000)
        let sizes = row.messages.map { ClientFrame.size(ofPayload: $0.frame.payload.count) }
        let responses = sizes.reduce(0, +) + row.pongs.reduce(0) { $0 + ClientFrame.size(ofPayload: $1.count) }
        let closeSize = ClientFrame.size(ofPayload: 2)
        var steps: [Step] =
            switch row.delivery {
            case .whole: [.send(row.bytes)]
            case .frames: row.frames.map { .send($0) }
            case .chops(let size): [.sendSlowly(row.bytes, chunk: size, every: .zero)]
            case .roundTrips: zip(row.frames, sizes).flatMap { [.send($0), .readBytes($1)] }
            }
        switch row.ending {
        case .byServer:
            if case .roundTrips = row.delivery {} else { steps.append(.readBytes(responses)) }
            steps += [.send(close), .readBytes(closeSize)]
        case .close(let code): steps.append(.readBytes(responses + (code == nil ? closeSize - 2 : closeSize)))
        // A response to an earlier message may precede the Close frame.
        case .violation: steps.append(.readBytes(closeSize))
        }
        steps += row.withheld.map { .send($0) }
        return steps + [.shutdownWrite, .readBytes(.max)]
    }
}
