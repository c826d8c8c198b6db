internal import CLinux
internal import SortieBase
internal import SortieHTTP

internal import struct FoundationEssentials.Data
internal import struct FoundationEssentials.Date

/// The messages of a WebSocket connection as lines of JSON: the body of its exchange.
///
/// `{"received": "12:03:04.120", "bytes": 12, "data": {"price": 42}}` has the direction with the local time, the size of the content in bytes, and
/// the content: a text that is an object or an array of JSON as a value, another text as a string, bytes as `base64`, and the code of a Close frame as
/// `close` with its `reason`. With `reconnected` in place of the direction, the reason tells why the connection was opened again.
struct WebSocketLog {
    private var buffer: BodyBuffer
    private var isFull = false
    /// The number of bytes of received messages.
    private(set) var receivedBytes: Int64 = 0
    /// The number of bytes of sent messages.
    private(set) var sentBytes: Int64 = 0

    /// Creates a log of at most `limit` bytes, which is stored in `folder` where it is large.
    init(folder: String, limit: Int64?) {
        buffer = BodyBuffer(folder: folder, limit: limit)
    }

    /// The lines.
    ///
    /// Waits until a large log is on the disk.
    var view: BodyBytes {
        mutating get {
            waitUntilWritten()
            return buffer.view
        }
    }

    /// Adds an event; nothing once the log is full or cannot be stored.
    ///
    /// - Throws: `bodyTooLarge` and `storage`, once.
    mutating func append(_ event: WebSocketEvent) throws(NetworkError) {
        let size = Int64(event.contentBytes)
        if event.direction == .sent { sentBytes += size } else { receivedBytes += size }
        guard !isFull else { return }
        do throws(NetworkError) {
            let line = Array(Self.line(of: event).utf8)
            let mustWait = try line.withUnsafeBufferPointer { (bytes) throws(NetworkError) in try buffer.append(UnsafeRawBufferPointer(bytes)) {} }
            // The messages arrive faster than the disk stores them.
            if mustWait { buffer.waitUntilWritten() }
            // While the disk is busy, the lines are collected for one write.
            if !buffer.isBehind { buffer.flush() }
        } catch {
            isFull = true
            throw error
        }
    }

    /// Waits until a large log is on the disk.
    mutating func waitUntilWritten() {
        buffer.flush()
        buffer.waitUntilWritten()
    }

    /// The line of an event, with its line break.
    static func line(of event: WebSocketEvent) -> String {
        var kind = event.direction.rawValue
        if case .reconnected = event.content { kind = "reconnected" }
        let head = "{\"\(kind)\":\"\(localTime(of: event.time))\",\"bytes\":\(event.contentBytes),"
        let content =
            switch event.content {
            case .message(.text(let text)): "\"data\":\(value(of: text))"
            case .message(.binary(let bytes)): "\"base64\":\"\(Data(bytes).base64EncodedString())\""
            case .reconnected(let reason): "\"reason\":\"\(JSONText.escaped(reason))\""
            case .close(let close):
                "\"close\":\(close.code.map { String($0) } ?? "null"),\"reason\":\"\(JSONText.escaped(close.reason))\""
            }
        return head + content + "}\n"
    }

    /// A text as JSON: the value without line breaks where it is an object or an array, else a string.
    private static func value(of text: String) -> String {
        let start = text.utf8.first { $0 > 0x20 }
        let mayBeValue = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        return (mayBeValue ? JSONText.compact(text) : nil) ?? "\"\(JSONText.escaped(text))\""
    }

    private static func localTime(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let offset = clinux_utc_offset(Int64(seconds.rounded(.down)))
        let clock = CalendarTime(secondsSince1970: seconds, utcOffset: offset).iso8601.dropFirst(11).prefix(8)
        let milliseconds = String(1000 + Int((seconds - seconds.rounded(.down)) * 1000)).dropFirst()
        return "\(clock).\(milliseconds)"
    }
}

extension WebSocketEvent {
    /// The size of the content in bytes: of a Close frame, that of its payload.
    fileprivate var contentBytes: Int {
        switch content {
        case .message(.text(let text)): text.utf8.count
        case .message(.binary(let bytes)): bytes.count
        case .close(let close): close.payload.count
        case .reconnected: 0
        }
    }
}
