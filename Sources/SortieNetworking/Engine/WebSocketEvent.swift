package import SortieHTTP

package import struct FoundationEssentials.Date

/// A message or a Close frame of a WebSocket connection.
package struct WebSocketEvent: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable {
        case sent, received
    }

    package enum Content: Hashable, Sendable {
        case message(WebSocketMessage)
        case close(WebSocketClose)
    }

    package let direction: Direction
    /// When the last byte was received, or when the program passed it to the connection.
    package let time: Date
    package let content: Content
}
