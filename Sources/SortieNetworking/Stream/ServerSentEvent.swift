/// An event of a server-sent event stream (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The type; `message` where the server names none.
    public var type: String
    /// The data; several lines are joined by LF.
    public var data: String
    /// The last ID that the server sent, in this event or an earlier one; empty where it sent none.
    public var id: String

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
