import SortieHTTP
import Support
import Testing

@testable import SortieNetworking

/// Tests what a client accepts as the response to its handshake, with a server that sends the exact bytes (RFC 6455 §4.1).
@Suite(.fewAtOnce)
struct WebSocketHandshakeConformanceTests {
    @Test(arguments: HandshakeCase.all) func `the client accepts or rejects the response`(_ row: HandshakeCase) async throws {
        let end: [Step] = (row.result == .opens ? [.send(ServerFrame.close(1000))] : []) + [.shutdownWrite, .readBytes(.max)]
        let server = try ScriptedServer(Script([.readRequest, .respond(chunk: row.chop) { row.bytes(for: $0) }] + end))
        var request = try Request.to(server.url)
        if let subprotocols = row.subprotocols { request.headers["Sec-WebSocket-Protocol"] = subprotocols }
        let result = try await withDeadline(.seconds(300), "the end of the connection") { [request] in
            do throws(NetworkError) {
                let socket = try await Client().webSocket(request, closingLimits: WebSocketClosingLimits(.seconds(60)))
                for try await _ in socket.events {}
                return HandshakeCase.Result.opens
            } catch {
                return .fails(error.code, rule: error.underlying.flatMap { WebSocketError.Rule(rawValue: $0) })
            }
        }
        #expect(result == row.result)
        // No connection stays open, and no frame is sent after a failed handshake.
        try await server.waitForConnections(open: 0)
        if row.result != .opens { #expect(server.requests.first?.body.isEmpty == true) }
    }
}
