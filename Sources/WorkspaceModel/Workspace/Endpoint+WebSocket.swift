internal import SortieHTTP

extension Endpoint {
    /// Whether sending the endpoint opens a WebSocket connection: by its kind, or by the scheme of its URL.
    package var opensWebSocket: Bool { kind == .webSocket || WebSocketURL.isWebSocket(path) }

    /// The endpoint with the scheme of HTTP in place of that of a WebSocket URL.
    package var withHTTPScheme: Endpoint {
        var copy = self
        copy.path = WebSocketURL.http(path)
        return copy
    }
}
