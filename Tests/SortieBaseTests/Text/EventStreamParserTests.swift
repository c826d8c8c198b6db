import SortieBase
import Testing

/// Tests parsing event streams (WHATWG HTML §9.2.6).
struct EventStreamParserTests {
    private struct Parsed: Hashable {
        var type = ""
        var data: String
        var id = ""
    }

    private func parsed(_ events: [EventStreamParser.Event]?) -> [Parsed]? {
        events?.map { Parsed(type: $0.type, data: String(decoding: $0.data, as: UTF8.self), id: $0.lastEventID) }
    }

    private func events(_ text: String, piece: Int = 1) -> [Parsed] {
        var parser = EventStreamParser()
        let bytes = Array(text.utf8)
        let events = stride(from: 0, to: bytes.count, by: piece).flatMap { parser.take(Array(bytes[$0..<min(bytes.count, $0 + piece)])) ?? [] }
        return parsed(events) ?? []
    }

    @Test(arguments: ["\n", "\r", "\r\n"], [1, 2, 3, 100])
    func `lines end with LF, CR or CRLF, whatever the pieces are`(end: String, piece: Int) {
        let text = "\u{FEFF}: comment\ndata: a\ndata:b\ndata\n\nevent: add\nid: 7\ndata:  c\n\n".replacing("\n", with: end)
        #expect(events(text, piece: piece) == [Parsed(data: "a\nb\n"), Parsed(type: "add", data: " c", id: "7")])
    }

    @Test func `an event without data is not reported, but its ID and the reconnection time count`() {
        var parser = EventStreamParser()
        #expect(parser.take(Array("event: x\nid: 3\nretry: 250\n\n".utf8)) == [])
        #expect(parser.lastEventID == "3" && parser.retry == 250)
        let event = parser.take(Array("data: y\n\n".utf8))
        #expect(parsed(event) == [Parsed(data: "y", id: "3")] && event?.first?.hasID == false)
        #expect(parsed(parser.take(Array("id\nretry: 1s\nid: a\u{0}b\ndata: z\n\n".utf8))) == [Parsed(data: "z")])
        #expect(parser.retry == 250)
    }

    @Test func `unknown fields and a second BOM are ignored, and an incomplete event is reported only by the end`() {
        #expect(events("foo: 1\nDATA: no\ndata: yes\n\n\u{FEFF}data: no\n\ndata: cut\n") == [Parsed(data: "yes")])
        var parser = EventStreamParser()
        #expect(parser.take(Array("id: 1\ndata: cut\ndata: of".utf8)) == [])
        let last = parser.end()
        #expect(parsed(last.map { [$0] }) == [Parsed(data: "cut\nof", id: "1")] && last?.hasID == true && parser.end() == nil)
    }

    @Test func `an event above the limit is nil, in one line and in several`() {
        for text in [String(repeating: "A", count: 101), String(repeating: "data: AAAAAAAAAA\n", count: 20)] {
            var parser = EventStreamParser(limit: 100)
            #expect(parser.take(Array("data: a\n\n".utf8))?.count == 1 && parser.take(Array(text.utf8)) == nil)
        }
    }

    @Test func `an ID that is too long for a header field is ignored`() {
        let long = String(repeating: "x", count: 5000)
        #expect(events("id: 1\nid: \(long)\ndata: a\n\n", piece: 1000) == [Parsed(data: "a", id: "1")])
    }
}
