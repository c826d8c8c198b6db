internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking

/// One line of `sortie listen`: a message of a WebSocket connection, or a server-sent event.
struct ListenedMessage {
    let direction: WebSocketEvent.Direction
    /// Seconds since 1970.
    let time: Double
    /// The members of the record after direction and time.
    private let members: [JSONValue.Member]
    /// The line without `--json`; nil for what is printed only as JSON.
    private let text: String?

    init(_ event: WebSocketEvent) {
        direction = event.direction
        time = event.time.timeIntervalSince1970
        switch event.content {
        case .message(.text(let text)):
            members = [.init("type", "text"), .init("data", .string(text))]
            self.text = text
        case .message(.binary(let bytes)):
            let base64 = Data(bytes).base64EncodedString()
            members = [.init("type", "binary"), .init("base64", .string(base64))]
            text = base64
        case .reconnected(let reason):
            members = Self.reconnection(reason)
            text = nil
        case .close(let close):
            members = [
                .init("type", "close"), .init("code", close.code.map { .integer($0) } ?? .null), .init("reason", .string(close.reason)),
            ]
            text = nil
        }
    }

    init(_ event: ServerSentEvent, at time: Date) {
        direction = .received
        self.time = time.timeIntervalSince1970
        members = [
            .init("type", "event"), .init("event", .string(event.type)), .init("id", .string(event.id)), .init("data", .string(event.data)),
        ]
        text = event.data
    }

    /// A reconnection of an event stream.
    init(reconnectedAfter reason: String, at time: Date) {
        direction = .sent
        self.time = time.timeIntervalSince1970
        members = Self.reconnection(reason)
        text = nil
    }

    private static func reconnection(_ reason: String) -> [JSONValue.Member] { [.init("type", "reconnected"), .init("reason", .string(reason))] }

    /// The line with its line break; nil for one that is not printed.
    ///
    /// Without JSON only received messages are printed: a message is one line, in which line breaks and control characters are displayed.
    func line(asJSON: Bool, _ redaction: Redaction) -> String? {
        if asJSON {
            let head: [JSONValue.Member] = [.init("direction", .string(direction.rawValue)), .init("time", .seconds(time))]
            return redaction.masked(.object(head + members)).text + "\n"
        }
        guard direction == .received, let text else { return nil }
        return VisibleLine.of(redaction.masked(text)) + "\n"
    }
}
