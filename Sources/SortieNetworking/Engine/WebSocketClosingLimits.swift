/// How long the end of a WebSocket connection may take.
package struct WebSocketClosingLimits: Sendable {
    /// The time that the server may take to respond to a Close frame, and to receive what is sent before the end.
    package var closeFrame = Duration.seconds(5)
    /// The time that the server may take to close the socket after the last frame.
    ///
    /// Closing it first, with unread bytes, would reset the connection, and the server could lose the Close frame.
    package var socket = Duration.seconds(1)

    package init() {}

    /// Both limits with the same value.
    package init(_ limit: Duration) {
        closeFrame = limit
        socket = limit
    }
}
