/// Parses a stream of server-sent events (WHATWG HTML §9.2.6) from pieces of bytes.
package struct EventStreamParser: Sendable {
    /// An event with data.
    package struct Event: Hashable, Sendable {
        /// The type; empty where the event names none.
        package var type = ""
        /// The data; several lines are joined by LF.
        package var data: [UInt8] = []
        /// The last ID that was sent, in this event or an earlier one; empty where none was.
        package var lastEventID = ""
        /// Whether the ID was sent in this event.
        package var hasID = false
    }

    /// The last ID that was sent; it is part of all later events and of a reconnection.
    package private(set) var lastEventID: String
    /// The reconnection time that was sent, in milliseconds; nil where none was.
    package private(set) var retry: Int?
    /// The largest size of an event in bytes.
    package let limit: Int
    /// The longest ID in bytes; a longer one could not be sent as a header field.
    private static let longestID = 4096
    private var line: [UInt8] = []
    private var isAtStart = true
    /// Whether the last byte was a CR, whose LF belongs to the same line break.
    private var endedWithCarriageReturn = false
    private var event = Event()
    private var hasData = false

    /// Creates a parser for the start of a stream.
    package init(lastEventID: String = "", retry: Int? = nil, limit: Int = .max) {
        (self.lastEventID, self.retry, self.limit) = (lastEventID, retry, limit)
    }

    /// Takes bytes, and returns the events that they complete; nil for an event above the limit.
    package mutating func take(_ bytes: [UInt8]) -> [Event]? { bytes.withUnsafeBytes { take($0) } }

    /// Takes bytes, and returns the events that they complete; nil for an event above the limit.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Event]? {
        var events: [Event] = []
        var start = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            let isLineFeed = byte == UInt8(ascii: "\n")
            guard isLineFeed || byte == UInt8(ascii: "\r") else {
                endedWithCarriageReturn = false
                continue
            }
            if !isLineFeed || !endedWithCarriageReturn {
                guard append(bytes[start..<index]) else { return nil }
                if let event = endLine() { events.append(event) }
            }
            endedWithCarriageReturn = !isLineFeed
            start = index + 1
        }
        return append(bytes[start...]) ? events : nil
    }

    /// The event that the stream ends in; a reader that follows the standard discards it.
    package mutating func end() -> Event? { line.isEmpty ? dispatch() : endLine() ?? dispatch() }

    /// Adds a part of a line; returns false for an event above the limit.
    private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard part.count <= limit - line.count - event.data.count else { return false }
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
        return true
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart, line.starts(with: TextEncoding.utf8.mark) { line.removeFirst(TextEncoding.utf8.mark.count) }
        isAtStart = false
        guard !line.isEmpty else { return dispatch() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        // A comment is a field with an empty name.
        switch String(decoding: name, as: UTF8.self) {
        case "event": event.type = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { event.data.append(UInt8(ascii: "\n")) }
            hasData = true
            event.data.append(contentsOf: value)
        case "id" where !value.contains(0) && value.count <= Self.longestID:
            lastEventID = String(decoding: value, as: UTF8.self)
            event.hasID = true
        case "retry" where !value.isEmpty && value.allSatisfy(ASCII.isDigit): retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
        default: break
        }
        return nil
    }

    /// Ends an event; an event without data is not reported.
    private mutating func dispatch() -> Event? {
        defer { (event, hasData) = (Event(), false) }
        guard hasData else { return nil }
        event.lastEventID = lastEventID
        return event
    }
}
