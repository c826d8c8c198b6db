internal import SortieBase
internal import SortieHTTP

/// How a body is a sequence of messages.
package enum MessageStream: Hashable, Sendable {
    /// JSON values, one per line (NDJSON, JSON lines).
    case lines
    /// Server-sent events.
    case events
    /// The recorded messages of a WebSocket connection, one per line.
    case records

    /// The messages of a body: by its content type, else by its first lines; nil for one value or a text.
    static func detect(_ type: ContentType, _ kind: BodyKind, _ encoding: TextEncoding, _ bytes: BodyBytes) -> MessageStream? {
        guard encoding == .utf8 else { return nil }
        if type.mediaType == "text/event-stream" { return kind == .binary ? nil : .events }
        if type.mediaType == Response.webSocketRecordType { return kind == .json ? .records : nil }
        if type.isJSONLines { return kind == .json ? .lines : nil }
        guard kind == .json || kind == .text, type.mediaType.isEmpty || type.mediaType == "text/plain" || type.kind == .json else { return nil }
        let start = bytes.prefix(BodyKind.sniffedBytes)
        if kind == .text, beginsWithEvent(start) { return .events }
        return beginsWithLines(start) ? .lines : nil
    }

    /// Whether the first line is an object or an array, and another one begins on the next line.
    private static func beginsWithLines(_ start: [UInt8]) -> Bool {
        func opens(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
        guard let first = start.first, opens(first), let end = start.firstIndex(of: 0x0A) else { return false }
        guard let next = start[end...].first(where: { $0 > 0x20 }), opens(next) else { return false }
        return JSONText.problem(in: BodyBytes(Array(start[..<end]))) == nil
    }

    /// Whether the first lines are fields of an event with data, which an empty line ends.
    private static func beginsWithEvent(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        // After the last line break of a text is no empty line.
        guard let end = lines.dropLast().firstIndex(where: \.isEmpty), end > 0 else { return false }
        let event = lines[..<end]
        let names = ["event:", "data:", "id:", "retry:", ":"]
        return event.allSatisfy { line in names.contains { line.hasPrefix($0) } } && event.contains { $0.hasPrefix("data:") }
    }
}

extension BodyView {
    /// Whether the body is shown as a sequence of messages.
    package var showsMessages: Bool { stream != nil && formatted != nil }

    /// Whether messages of a WebSocket connection are shown, a row for each one that is folded.
    package var showsRecords: Bool { stream == .records && formatted != nil }

    /// The number of complete messages, as far as they are indexed; nil where none are shown.
    package var messageCount: Int? { stream == nil ? nil : formatted?.valueCount }
}
