internal import SortieHTTP

/// Parses a server-sent event stream (WHATWG HTML §9.2.6) from chunks of bytes.
struct EventStreamParser {
    /// The last ID that the server sent; it is part of all later events and of a reconnection.
    private(set) var lastEventID: String
    /// The reconnection time that the server sent, in milliseconds; nil where it sent none.
    private(set) var retry: Int?
    /// The largest size of an event in bytes.
    private let limit: Int
    /// The longest ID in bytes.
    private static let longestID = 4096
    private var line: [UInt8] = []
    private var isAtStart = true
    /// Whether the last byte was a CR, whose LF belongs to the same line break.
    private var endedWithCarriageReturn = false
    private var type = ""
    private var data = ""

    init(lastEventID: String = "", retry: Int? = nil, limit: Int = 1 << 20) {
        self.lastEventID = lastEventID
        self.retry = retry
        self.limit = limit
    }

    /// Takes bytes, and returns the events that they complete.
    ///
    /// - Throws: `bodyTooLarge` for an event above the limit.
    mutating func take(_ bytes: [UInt8]) throws(NetworkError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsCarriageReturn = endedWithCarriageReturn
            endedWithCarriageReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsCarriageReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                guard line.count + data.utf8.count <= limit else {
                    throw NetworkError(.bodyTooLarge, "an event is larger than \(ByteCount(limit).text), the limit")
                }
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        isAtStart = false
        guard !line.isEmpty else { return dispatch() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        // An empty name is that of a comment.
        guard !name.isEmpty else { return nil }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        take(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "event": type = value
        case "data": data += value + "\n"
        // A longer one could not be sent as a header field.
        case "id": if !value.utf8.contains(0), value.utf8.count <= Self.longestID { lastEventID = value }
        case "retry": if !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { retry = Int(value) ?? retry }
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (type, data) = ("", "") }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: String(data.dropLast()), id: lastEventID)
    }
}
