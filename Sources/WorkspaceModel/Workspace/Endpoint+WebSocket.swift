internal import SortieHTTP

extension Endpoint {
    /// Whether sending the endpoint opens a WebSocket connection: by its kind, or by the scheme of its URL.
    package var opensWebSocket: Bool { kind == .webSocket || WebSocketURL.isWebSocket(path) }

    /// Why the endpoint cannot be sent where one response is expected, as in a run; nil where it can.
    package var sendingProblem: String? { opensWebSocket ? "\(target) is a WebSocket connection; sortie listen \(target) opens it" : nil }
}
