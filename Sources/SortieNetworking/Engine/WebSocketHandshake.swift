internal import FoundationEssentials
package import SortieHTTP

/// The client's side of a WebSocket handshake (RFC 6455 §4.1).
package struct WebSocketHandshake: Sendable {
    /// The value of `Sec-WebSocket-Key`: 16 random bytes in base64.
    package let key: String

    /// Creates a handshake with a new key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64EncodedString()
    }

    package init(key: String) {
        self.key = key
    }

    /// The fields of the handshake in place of those of the same names; other fields are kept.
    ///
    /// A requested subprotocol is kept. Other extensions than permessage-deflate are not supported, so none is requested.
    package func fields(_ headers: Headers, offersCompression: Bool = false) -> Headers {
        var own: Headers = [
            HeaderField("Connection", "Upgrade"), HeaderField("Upgrade", "websocket"), HeaderField("Sec-WebSocket-Version", "13"),
            HeaderField("Sec-WebSocket-Key", key),
        ]
        if offersCompression { own["Sec-WebSocket-Extensions"] = WebSocketCompression.offer }
        let names = ["connection", "upgrade", "sec-websocket-version", "sec-websocket-key", "sec-websocket-extensions", "accept-encoding"]
        return Headers(headers.fields.filter { !names.contains($0.name.lowercased()) } + own.fields)
    }

    /// The value of `Sec-WebSocket-Accept` that proves that the server understood the key (RFC 6455 §4.2.2).
    package var accept: String {
        // SHA-1 is no protection here; it shows that the server implements the protocol.
        Data(HashFunction.sha1.digest(of: "\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11")).base64EncodedString()
    }

    /// Checks the response to the handshake, and returns the parameters of permessage-deflate; nil where messages are not compressed.
    ///
    /// - Parameters:
    ///   - subprotocols: The value of `Sec-WebSocket-Protocol` in the request; nil where it has none.
    ///   - offersCompression: Whether the request offers permessage-deflate.
    @discardableResult
    package func check(
        status: Int, headers: Headers, subprotocols: String?, offersCompression: Bool = false
    ) throws(WebSocketError) -> WebSocketCompression? {
        guard status == 101 else { throw WebSocketError(.status, "the status is \(status)") }
        guard Self.tokens(of: "Upgrade", in: headers).contains("websocket") else { throw WebSocketError(.upgrade) }
        guard Self.tokens(of: "Connection", in: headers).contains("upgrade") else { throw WebSocketError(.connection) }
        let accepted = headers.fields.filter { $0.isNamed("Sec-WebSocket-Accept") }
        guard accepted.count == 1, accepted[0].value == accept else { throw WebSocketError(.accept) }
        let extensions = headers.fields.filter { $0.isNamed("Sec-WebSocket-Extensions") }.map(\.value)
        if !extensions.isEmpty, !offersCompression {
            throw WebSocketError(.extensions, "the server uses “\(extensions.joined(separator: ", "))”")
        }
        let selected = headers.fields.filter { $0.isNamed("Sec-WebSocket-Protocol") }
        // Names of subprotocols are case-sensitive.
        let requested = Set((subprotocols ?? "").split(separator: ",").map(\.trimmingOptionalWhitespace))
        guard selected.count <= 1, selected.allSatisfy({ requested.contains($0.value) }) else {
            throw WebSocketError(.subprotocol, "the server selected “\(selected.map(\.value).joined(separator: ", "))”")
        }
        return try WebSocketCompression(accepted: extensions)
    }

    private static func tokens(of name: String, in headers: Headers) -> Set<String> {
        Set(headers.fields.filter { $0.isNamed(name) }.flatMap { $0.value.split(separator: ",").map { $0.trimmingOptionalWhitespace.lowercased() } })
    }
}
