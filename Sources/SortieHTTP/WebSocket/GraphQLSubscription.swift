internal import SortieBase

/// A GraphQL operation over WebSocket by the subprotocol `graphql-transport-ws`: the messages that the client sends.
///
/// After `connection_init` and the `connection_ack` of the server, the operation is subscribed; pings are responded to, and `complete` ends the connection.
///
/// Source: enisdenjo/graphql-ws, "GraphQL over WebSocket Protocol".
package struct GraphQLSubscription: Hashable, Sendable {
    /// What follows a message of the server.
    package enum Reply: Hashable, Sendable {
        case message(String)
        case close
    }

    /// The subprotocol.
    package static let subprotocol = "graphql-transport-ws"
    /// The first message.
    package static let opening = #"{"type":"connection_init"}"#

    private let subscribe: String

    /// The subscription of a request; nil where it does not offer the subprotocol, or its body is no GraphQL request.
    package init?(_ request: Request, body: RequestBody) {
        let offered = request.headers["Sec-WebSocket-Protocol"]?.split(separator: ",").map(\.trimmingBlanks) ?? []
        guard offered.contains(Self.subprotocol), case .bytes(let bytes, _) = body else { return nil }
        do {
            let payload = try JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
            guard case .string = payload["query"] else { return nil }
            subscribe = JSONValue.object([.init("id", "1"), .init("type", "subscribe"), .init("payload", payload)]).compactText
        } catch { return nil }
    }

    /// What follows a message of the server; nil for nothing, and for text that is not of the protocol.
    package func reply(to text: String) -> Reply? {
        do {
            switch try JSONValue(parsing: text)["type"] {
            case "connection_ack": return .message(subscribe)
            case "ping": return .message(#"{"type":"pong"}"#)
            // An error ends the operation as well.
            case "complete", "error": return .close
            default: return nil
            }
        } catch { return nil }
    }
}
