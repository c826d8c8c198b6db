import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

/// Tests JSON in strings that is shown in the places of the strings.
struct UnfoldedStringsTests {
    /// Puts the string of the row with a text back; returns whether there is one.
    private func fold(_ text: String, _ view: inout BodyView) throws -> Bool {
        let place = try place(text, view)
        let change = view.foldString(place)
        while view.canAdvance { view.advance(budget: 1 << 20) }
        return change != nil
    }

    private let body = #"{"a": "{\"x\": [1, \"[true]\"],\n \"y\": {}}", "b": "text", "c": "[\"é\"]"}"#

    private func place(_ text: String, _ view: BodyView) throws -> BodyPlace {
        let row = try #require(view.all.firstIndex { $0.text.contains(text) }, "\(view.text)")
        return try #require(view.place(inRow: row))
    }

    private func unfold(_ text: String, _ view: inout BodyView) throws {
        let place = try place(text, view)
        let change = view.unfoldString(place)
        #expect(change != nil)
        while view.canAdvance { view.advance(budget: 1 << 20) }
    }

    @Test func `an object or an array in a string takes its place, marked, and the string comes back`() throws {
        var view = BodyFixtures.view(body)
        let before = view.text
        try unfold(#""c""#, &view)
        try unfold(#""a""#, &view)
        try unfold("[true]", &view)
        #expect(
            view.text == """
                {
                  "a": { in a string
                    "x": [
                      1,
                      [ in a string
                        true
                      ]
                    ],
                    "y": {}
                  },
                  "b": "text",
                  "c": [ in a string
                    "é"
                  ]
                }
                """)
        for text in [#""b""#, "true"] {
            let place = try place(text, view)
            let change = view.unfoldString(place)
            #expect(change == nil)
        }
        #expect(try view.isInString(place(#""c""#, view)) && !view.isInString(place(#""x""#, view)))
        // The outer string puts the inner one back, too.
        #expect(try fold(#""a""#, &view))
        #expect(view.text.contains(#""a": "{\"x\""#) && view.text.contains(#""c": [ in a string"#), "\(view.text)")
        #expect(try fold(#""c""#, &view))
        #expect(view.text == before)
        #expect(try !fold(#""c""#, &view))
    }

    @Test func `a path into a string is a query that a filter of the body finds`() throws {
        var view = BodyFixtures.view(body)
        try unfold(#""a""#, &view)
        try unfold("[true]", &view)
        let inner = try place("true", view)
        #expect(inner.path == "$.a | fromjson | $.x[1] | fromjson | $[0]" && inner.key == nil)
        #expect(try place(#""y""#, view).path == "$.a | fromjson | $.y" && place(#""a""#, view).path == "$.a")
        var results: [UInt8] = []
        let bytes = view.filteredBytes.prefix(.max)
        _ = try bytes.withUnsafeBytes { bytes in
            try JSONQuery(inner.path).run(on: bytes, hasManyValues: false, isStopped: { false }) { (piece, _) throws(JSONEvaluationError) in
                results += piece
            }
        }
        #expect(String(decoding: results, as: UTF8.self).trimmingBlanks == "true")
    }

    @Test func `folds, matches and the other modes stay those of the body`() throws {
        var view = BodyFixtures.view(body + String(repeating: " ", count: 10))
        try unfold(#""c""#, &view)
        view.fold(try place(#""c""#, view))
        try unfold(#""a""#, &view)
        #expect(view.text.contains(#""c": [ in a string … 1 item ]"#), "\(view.text)")
        view.fold(try place(#""x""#, view))
        #expect(view.text.contains(#""x": [ … 2 items ]"#))
        guard case .found(let match) = view.find(BodySearch("\"y\""), from: 0) else { return #expect(Bool(false)) }
        #expect(view.rows(0..<20, marking: BodySearch("\"y\"")).contains { $0.sourceRange.contains(match.lowerBound) && $0.text.contains("\"y\"") })
        #expect(try fold(#""a""#, &view))
        #expect(view.text.contains(#""c": [ in a string … 1 item ]"#))
        try unfold(#""a""#, &view)
        view.show(.raw)
        #expect(view.text.contains(#"[true]\"],\n"#))
        view.show(.pretty)
        #expect(view.text.contains(#""a": { in a string"#))
    }

    @Test func `messages that arrive later follow the unfolded string`() throws {
        let first = #"{"d":"{\"n\":1}"}"# + "\n"
        var view = BodyView.make(bytes: BodyBytes(Array(first.utf8)), contentType: "application/x-ndjson", isFinal: false)
        try unfold(#""d""#, &view)
        view.grow(to: BodyBytes(Array((first + first).utf8)), isFinal: true)
        while view.canAdvance { view.advance(budget: 1 << 20) }
        #expect(view.text == "{\n  \"d\": { in a string\n    \"n\": 1\n  }\n}\n{\n  \"d\": \"{\\\"n\\\":1}\"\n}", "\(view.text)")
        var events = BodyFixtures.view("data: {\"p\": \"[1]\"}\n\ndata: x\n\n", "text/event-stream")
        try unfold(#""p""#, &events)
        #expect(events.text.contains(#""p": [ in a string"#) && events.text.contains(#""data": "x""#), "\(events.text)")
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `strings of a large body unfold at any place, and all come back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let items = (0..<1500).map { number in
            let text = String(repeating: "x", count: .random(in: 0..<60, using: &generator))
            return #"{"id": \#(number), "payload": "{\"n\": \#(number), \"s\": \"\#(text)\"}"}"#
        }
        var view = BodyFixtures.view("[" + items.joined(separator: ",") + "]")
        let before = view.text
        let numbers = (0..<10).map { _ in Int.random(in: 0..<1500, using: &generator) }
        var chosen: [Int] = []
        for number in numbers where !chosen.contains(number) {
            chosen.append(number)
            try unfold(#"{\"n\": \#(number),"#, &view)
        }
        #expect(view.text.split(separator: "\n").count == before.split(separator: "\n").count + 3 * chosen.count)
        for number in chosen {
            #expect(try place(#""n": \#(number),"#, view).path == "$[\(number)].payload | fromjson | $.n")
        }
        for number in chosen.reversed() {
            let inner = try place(#""n": \#(number),"#, view)
            let parent = try #require(inner.parent.flatMap { view.place(at: $0) })
            let change = view.foldString(parent)
            #expect(change != nil)
            while view.canAdvance { view.advance(budget: 1 << 20) }
        }
        #expect(view.text == before)
    }
}
