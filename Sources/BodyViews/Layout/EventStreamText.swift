internal import SortieBase
package import SortieHTTP
internal import Synchronization

/// The text that a view shows instead of the bytes of a body, converted in steps and on demand.
package protocol ConvertedText: AnyObject, Sendable {
    /// Continues until `limit` bytes of the body are read.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body, which begin with those of every earlier call.
    ///   - isFinal: Whether `body` is complete.
    func advance(over body: BodyBytes, to limit: Int, isFinal: Bool) -> DecodedText.Snapshot
}

extension DecodedText: ConvertedText {}

/// The events of a stream of server-sent events (WHATWG HTML §9.2) as lines of JSON: `{"event": "tick", "id": "7", "data": {…}}`.
///
/// Data that is JSON is a value, other data a string. Copies of a view share the text.
final class EventStreamText: ConvertedText {
    /// The maximum size, in bytes, of a body whose events are shown; the text needs about as much memory.
    static let sizeLimit = 64 << 20

    private struct State {
        var block = MemoryBlock(capacity: 0)
        var written = 0
        /// The start of the line that is read.
        var lineStart = 0
        /// The offset before which no line ends.
        var scanned = 0
        var event = PendingEvent()
        var snapshot = DecodedText.Snapshot()
    }

    private let state = Mutex(State())

    func advance(over body: BodyBytes, to limit: Int, isFinal: Bool) -> DecodedText.Snapshot {
        state.withLock { state in
            let limit = min(limit, body.count)
            let isEnd = isFinal && limit == body.count
            guard !state.snapshot.isComplete, limit > state.snapshot.seen || isEnd else { return state.snapshot }
            body.withUnsafeBytes { bytes in Self.read(bytes, limit: limit, isEnd: isEnd, &state) }
            state.snapshot = DecodedText.Snapshot(
                text: BodyBytes(owner: state.block, pointer: UnsafeRawPointer(state.block.start), count: state.written), seen: limit,
                isComplete: isEnd)
            return state.snapshot
        }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool, _ state: inout State) {
        if state.lineStart == 0, limit >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { (state.lineStart, state.scanned) = (3, 3) }
        while state.scanned < limit {
            let byte = bytes[state.scanned]
            guard byte == 0x0A || byte == 0x0D else {
                state.scanned += 1
                continue
            }
            var next = state.scanned + 1
            if byte == 0x0D {
                // Whether LF follows is not known yet.
                guard next < limit || isEnd else { return }
                if next < limit, bytes[next] == 0x0A { next += 1 }
            }
            endLine(bytes, state.lineStart..<state.scanned, &state)
            (state.lineStart, state.scanned) = (next, next)
        }
        guard isEnd else { return }
        // A browser discards an event without an empty line after it; here it is what arrived of the last event.
        if state.lineStart < limit { endLine(bytes, state.lineStart..<limit, &state) }
        state.lineStart = limit
        dispatch(&state)
    }

    private static func endLine(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>, _ state: inout State) {
        guard !line.isEmpty else { return dispatch(&state) }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: line) ?? line.upperBound
        var start = min(colon + 1, line.upperBound)
        if start < line.upperBound, bytes[start] == 0x20 { start += 1 }
        let value = bytes[start..<line.upperBound]
        switch String(decoding: bytes[line.lowerBound..<colon].prefix(8), as: UTF8.self) {
        case "data":
            if state.event.hasData { state.event.data.append(0x0A) }
            state.event.hasData = true
            state.event.data.append(contentsOf: value)
        case "event": state.event.name = String(decoding: value, as: UTF8.self)
        case "id": state.event.id = String(decoding: value, as: UTF8.self)
        default: break  // a comment, retry, or an unknown field
        }
    }

    /// Ends an event; one without data is none.
    private static func dispatch(_ state: inout State) {
        defer { state.event = PendingEvent() }
        guard state.event.hasData else { return }
        let json = state.event.json
        let need = state.written + json.count
        if state.block.capacity < need {
            state.block = MemoryBlock(copying: state.block, count: state.written, capacity: max(2 * state.block.capacity, need, 64 << 10))
        }
        let target = UnsafeMutableRawBufferPointer(start: state.block.start + state.written, count: json.count)
        json.withUnsafeBytes { target.copyMemory(from: $0) }
        state.written = need
    }
}

/// An event whose lines are being read.
private struct PendingEvent {
    var name = ""
    var id: String?
    var data: [UInt8] = []
    var hasData = false

    /// The event as a line of JSON.
    var json: [UInt8] {
        var members: [String] = []
        if !name.isEmpty { members.append("\"event\":\"\(JSONText.escaped(name))\"") }
        if let id { members.append("\"id\":\"\(JSONText.escaped(id))\"") }
        var text = Array("{\(members.map { $0 + "," }.joined())\"data\":".utf8)
        // Only text that begins as JSON does is read as JSON.
        let isJSON = data.first.map { "{[\"-0123456789tfn".utf8.contains($0) } ?? false
        if isJSON, JSONText.problem(in: BodyBytes(data)) == nil {
            text += data
        } else {
            text += Array("\"\(JSONText.escaped(String(decoding: data, as: UTF8.self)))\"".utf8)
        }
        return text + Array("}\n".utf8)
    }
}
