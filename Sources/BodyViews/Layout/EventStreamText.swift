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
        var parser = EventStreamParser()
        var snapshot = DecodedText.Snapshot()
    }

    private let state = Mutex(State())

    func advance(over body: BodyBytes, to limit: Int, isFinal: Bool) -> DecodedText.Snapshot {
        state.withLock { state in
            let limit = min(limit, body.count)
            let isEnd = isFinal && limit == body.count
            guard !state.snapshot.isComplete, limit > state.snapshot.seen || isEnd else { return state.snapshot }
            var events = body.withUnsafeBytes { state.parser.take(UnsafeRawBufferPointer(rebasing: $0[state.snapshot.seen..<limit])) } ?? []
            // A browser discards an event without an empty line after it; here the part that has arrived is displayed.
            if isEnd, let last = state.parser.end() { events.append(last) }
            for event in events { Self.write(event.json, &state) }
            state.snapshot = DecodedText.Snapshot(
                text: BodyBytes(owner: state.block, pointer: UnsafeRawPointer(state.block.start), count: state.written), seen: limit,
                isComplete: isEnd)
            return state.snapshot
        }
    }

    private static func write(_ json: [UInt8], _ state: inout State) {
        let need = state.written + json.count
        if state.block.capacity < need {
            state.block = MemoryBlock(copying: state.block, count: state.written, capacity: max(2 * state.block.capacity, need, 64 << 10))
        }
        let target = UnsafeMutableRawBufferPointer(start: state.block.start + state.written, count: json.count)
        json.withUnsafeBytes { target.copyMemory(from: $0) }
        state.written = need
    }
}

extension EventStreamParser.Event {
    /// The event as a line of JSON.
    fileprivate var json: [UInt8] {
        var members: [String] = []
        if !type.isEmpty { members.append("\"event\":\"\(JSONText.escaped(type))\"") }
        if hasID { members.append("\"id\":\"\(JSONText.escaped(lastEventID))\"") }
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
