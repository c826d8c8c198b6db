import FlyingFox
import Foundation
import SortieBase

/// The WebSocket connection of the demo (RFC 6455).
enum ChatRoutes {
    static let path = "/chat"

    static func all(_ demo: Demo) -> [Route] {
        [
            .get(path, "WebSocket: returns what is sent; \"prices\" sends a price each second until \"stop\", and \"bye\" closes with 1013.") { _ in
                throw Problem(426, "This path is for WebSocket only; use sortie listen or kind: webSocket.", headers: [("Upgrade", "websocket")])
            }
        ]
    }

    /// The response to the handshake of a WebSocket connection; nil for another request.
    static func connection(_ request: HTTPRequest) async throws -> HTTPResponse? {
        guard request.path == path, request.headers[HTTPHeader("Upgrade")]?.lowercased() == "websocket" else { return nil }
        return try await WebSocketHTTPHandler.webSocket(ChatMessages()).handleRequest(request)
    }
}

/// The messages of one connection.
private struct ChatMessages: WSMessageHandler {
    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
        let (messages, output) = AsyncStream<WSMessage>.makeStream()
        let task = Task {
            output.yield(.text(#"{"event": "welcome", "commands": ["prices", "stop", "bye"]}"#))
            var prices: Task<Void, Never>?
            for await message in client {
                switch message {
                case .text("prices"):
                    prices?.cancel()
                    prices = Task { await Self.send(pricesTo: output) }
                case .text("stop"): prices?.cancel()
                case .text("bye"): output.yield(.close(.tryAgainLater))
                case .text(let text):
                    let echo: JSON = ["event": .string("echo"), "text": .string(text)]
                    output.yield(.text(echo.compactText))
                case .data(let data): output.yield(.data(data))
                case .close: break
                }
            }
            prices?.cancel()
            output.finish()
        }
        output.onTermination = { _ in task.cancel() }
        return messages
    }

    private static func send(pricesTo output: AsyncStream<WSMessage>.Continuation) async {
        var cents = 950
        var number = 0
        while !Task.isCancelled {
            number += 1
            cents += [3, -2, 5, -4, 1][number % 5]
            let price = "\(cents / 100).\((cents % 100).padded(to: 2))"
            output.yield(.text(#"{"event": "price", "number": \#(number), "symbol": "TEA", "price": \#(price)}"#))
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }
}
