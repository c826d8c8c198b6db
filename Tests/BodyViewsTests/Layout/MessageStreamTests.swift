import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

/// Tests bodies that are sequences of messages: NDJSON and server-sent events.
@Suite struct MessageStreamTests {
    private func view(_ text: String, _ type: String?, isFinal: Bool = true) -> BodyView {
        BodyView.make(bytes: BodyBytes(Array(text.utf8)), contentType: type, isFinal: isFinal)
    }

    private func text(_ view: BodyView) -> String {
        view.rows(0..<view.rowCount).map { $0.spans.map(\.text).joined() }.joined(separator: "\n")
    }

    @Test func `events can be filtered like other JSON, in each mode`() {
        var view = view("event: tick\ndata: {\"n\":1}\n\ndata: two\n\n", "text/event-stream")
        #expect(view.canFilter && view.hasManyValues)
        #expect(view.filteredBytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.contains(#""data":{"n":1}"#))
        view.show(.raw)
        #expect(view.canFilter)
    }

    @Test func `events are displayed with name, ID and data as JSON`() {
        let view = view("event: tick\nid: 7\ndata: {\"n\":1}\n\n: comment\n\nretry: 5\n\ndata: two\ndata: lines\n\n", "text/event-stream")
        #expect(view.messageCount == 2 && view.showsMessages && view.canFold)
        let lines = [
            "{", #"  "event": "tick","#, #"  "id": "7","#, #"  "data": {"#, #"    "n": 1"#, "  }", "}", "{", #"  "data": "two\nlines""#, "}",
        ]
        #expect(text(view) == lines.joined(separator: "\n"))
    }

    @Test(arguments: [
        ("data: 12\n\n", "12"), ("data:true\n\n", "true"), ("data: {broken\n\n", #""{broken""#), ("data: a\"b\n\n", #""a\"b""#), ("data\n\n", #""""#),
        ("data: [1,\ndata: 2]\n\n", "["), ("\u{FEFF}data: x\n\n", #""x""#), ("data: x\r\rdata: y\r\r", #""x""#), ("data: last", #""last""#),
    ]) func `data is JSON where it is valid, else a string`(stream: String, expected: String) {
        #expect(text(view(stream, "text/event-stream")).contains(#""data": \#(expected)"#), "\(text(view(stream, "text/event-stream")))")
    }

    @Test func `the messages do not depend on the parts in which the bytes arrive`() {
        let stream = "event: é\r\nid: 1\r\ndata: {\"a\":[1,2]}\r\n\r\ndata: x\rdata: y\r\rdata: {\ndata: }\n\ndata: end"
        let bytes = Array(stream.utf8)
        let whole = text(view(stream, "text/event-stream"))
        var generator = SeededGenerator(seed: 181)
        for _ in 0..<50 {
            var count = Int.random(in: 0...3, using: &generator)
            var view = BodyView.make(bytes: BodyBytes(Array(bytes[..<count])), contentType: "text/event-stream", isFinal: false)
            while count < bytes.count {
                count = min(bytes.count, count + Int.random(in: 1...9, using: &generator))
                view.grow(to: BodyBytes(Array(bytes[..<count])), isFinal: count == bytes.count)
            }
            #expect(text(view) == whole, "seed 181")
            #expect(view.messageCount == 4)
        }
    }

    @Test func `recorded messages have a row each with direction, time, size and content`() throws {
        let lines = [
            #"{"sent":"12:03:04.120","bytes":5,"data":"hello"}"#, #"{"received":"12:03:05.001","bytes":123456,"data":{"a":[1,{"b":2}],"c":"x, y"}}"#,
            #"{"received":"12:03:05.002","bytes":2,"base64":"AP8="}"#,
            #"{"reconnected":"12:03:06.000","bytes":0,"reason":"lost"}"#, #"{"received":"12:03:07.000","bytes":2,"close":1000,"reason":""}"#,
        ]
        var view = view(lines.joined(separator: "\n") + "\n", Response.webSocketRecordType)
        #expect(view.messageCount == 5 && view.showsRecords)
        view.foldAll()
        #expect(
            text(view).split(separator: "\n") == [
                #"↑ 12:03:04.120      5 B  "hello""#, #"↓ 12:03:05.001 123456 B  {"a": [1, {"b": 2}], "c": "x, y"}"#,
                #"↓ 12:03:05.002      2 B  base64 "AP8=""#, #"↻ 12:03:06.000      0 B  reason "lost""#,
                #"↓ 12:03:07.000      2 B  close 1000 reason """#,
            ])
        view.fold(try #require(view.place(inRow: 0)), false)
        #expect(text(view).hasPrefix("{\n  \"sent\": \"12:03:04.120\",\n  \"bytes\": 5,\n  \"data\": \"hello\"\n}\n↓"))
    }

    @Test func `the raw and the hexadecimal view have the original bytes`() {
        var view = view("data: {\"n\":1}\n\n", "text/event-stream")
        view.show(.raw)
        #expect(text(view) == "data: {\"n\":1}\n")
        view.show(.hex)
        #expect(text(view).contains("64 61 74 61"))
        #expect(view.wholeText == "data: {\"n\":1}\n\n")
    }

    @Test(
        arguments: [
            ("{\"a\":1}\n{\"b\":2}\n", "text/plain", 2), ("{\"a\":1}\n{\"b\":2}\n", nil, 2), ("[1]\r\n[2]\r\n[3]\r\n", "application/json", 3),
            ("data: 1\n\ndata: 2\n\n", "text/plain", 2), ("id: 4\nevent: x\ndata: 1\n\n", nil, 1),
        ] as [(String, String?, Int)]) func `messages are detected by the first lines`(body: String, type: String?, count: Int)
    {
        let view = view(body, type)
        #expect(view.messageCount == count && view.mode == .pretty && view.problem == nil)
    }

    @Test(arguments: [
        ("{\n\"a\":1}\n", "application/json"), ("{\"a\":1}\n", "application/json"), ("name: x\ndata: y\n\n", "text/plain"),
        ("data: y\n", "text/plain"),
        ("{a}\n{b}\n", "text/plain"), ("data: 1\n\n", "text/html"),
    ]) func `other bodies are no messages`(body: String, type: String) {
        #expect(view(body, type).messageCount == nil)
    }

    @Test func `the messages of JSON lines are counted while they arrive, and after folding`() {
        let line = #"{"n":1,"list":[1,{"a":[]}]}"# + "\n"
        let bytes = Array(String(repeating: line, count: 5000).utf8)
        var view = BodyView.make(bytes: BodyBytes(Array(bytes[..<(line.utf8.count * 3 + 4)])), contentType: "application/x-ndjson", isFinal: false)
        #expect(view.messageCount == 3, "the fourth is not complete")
        view.grow(to: BodyBytes(bytes), isFinal: true)
        while view.canAdvance { view.advance(budget: 10_000) }
        #expect(view.messageCount == 5000)
        view.foldAll()
        while view.canAdvance { view.advance(budget: 10_000) }
        #expect(view.messageCount == 5000 && view.rowCount == 5000)
        if let place = view.place(inRow: 4000) { view.fold(place, false) }
        while view.canAdvance { view.advance(budget: 10_000) }
        #expect(view.messageCount == 5000)
    }

    @Test func `a million messages need little memory`() {
        let bytes = BodyBytes(Array(String(repeating: "{\"n\":1}\n", count: 1_000_000).utf8))
        var view = BodyView.make(bytes: bytes, contentType: "application/x-ndjson", isFinal: true)
        while view.canAdvance { view.advance(budget: 4 << 20) }
        #expect(view.messageCount == 1_000_000)
        #expect(view.memoryUse < 1 << 20, "\(view.memoryUse) bytes")
    }
}
