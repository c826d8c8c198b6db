package import SortieHTTP

package import struct FoundationEssentials.Date

/// A message, a Close frame or a new beginning of a WebSocket connection.
package struct WebSocketEvent: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable {
        case sent, received
    }

    package enum Content: Hashable, Sendable {
        case message(WebSocketMessage)
        case close(WebSocketClose)
        /// The connection was opened again after it was lost.
        case reconnected(after: String)
    }

    package let direction: Direction
    /// When the last byte was received, or when the program passed it to the connection.
    package let time: Date
    package let content: Content
}
