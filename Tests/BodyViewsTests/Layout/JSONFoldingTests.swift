import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

/// Tests folding of formatted JSON and the paths of its rows.
struct JSONFoldingTests {
    private let shop = #"{"items":[{"id":1,"tags":["a","b"]},{"id":2,"tags":[]}],"total":2}"#

    /// The view with the row of a text folded or unfolded.
    private func change(_ view: inout BodyView, _ text: String, isFolded: Bool = true) throws {
        let row = try #require(view.all.firstIndex { $0.text.contains(text) })
        view.fold(try #require(view.place(inRow: row)), isFolded)
        while view.canAdvance { view.advance(budget: 1 << 20) }
    }

    @Test func `a folded container is one row with the number of its values`() throws {
        var view = BodyFixtures.view(shop)
        try change(&view, #""items""#)
        #expect(view.text == "{\n  \"items\": [ … 2 items ],\n  \"total\": 2\n}")
        #expect(view.all.map(\.number) == [1, 2, 15, 16])
        #expect(view.lineCount == 16)
        try change(&view, #""items""#, isFolded: false)
        #expect(view.text == BodyFixtures.view(shop).text)
    }

    @Test func `folds within a fold are kept, and an empty container cannot be folded`() throws {
        var view = BodyFixtures.view(shop)
        try change(&view, #""tags": ["#)
        #expect(view.text.contains(#""tags": [ … 2 items ]"#))
        try change(&view, #""items""#)
        try change(&view, #""items""#, isFolded: false)
        #expect(view.text.contains(#""tags": [ … 2 items ]"#))
        let empty = try #require(view.all.firstIndex { $0.text.contains("[]") })
        #expect(!view.isContainer(try #require(view.place(inRow: empty))))
        #expect(view.text.contains(#""tags": []"#))
    }

    @Test func `everything is folded but the top, and single values are unfolded again`() throws {
        var view = BodyFixtures.view(shop)
        view.foldAll()
        #expect(view.text == "{\n  \"items\": [ … 2 items ],\n  \"total\": 2\n}")
        try change(&view, #""items""#, isFolded: false)
        #expect(view.text == "{\n  \"items\": [\n    { … 2 members },\n    { … 2 members }\n  ],\n  \"total\": 2\n}")
        view.unfoldAll()
        #expect(view.text == BodyFixtures.view(shop).text)
    }

    @Test func `the values of a sequence are folded to one row each`() {
        var view = BodyFixtures.view("{\"a\":1}\n[1,2,3]\n4\n", "application/x-ndjson")
        view.foldAll()
        #expect(view.text == #"{"a": 1}"# + "\n[1, 2, 3]\n4")
    }

    @Test func `a folded value of a sequence shows its first bytes, and is found by a search`() throws {
        let long = String(repeating: "é", count: 600)
        var view = BodyFixtures.view(#"{"a":{"b":[]},"long":"\#(long)"}"# + "\n{}\n", "application/x-ndjson")
        view.foldAll()
        let rows = view.text.split(separator: "\n")
        #expect(rows.count == 2 && rows[0].hasPrefix(#"{"a": {"b": []}, "long": "ééé"#) && rows[0].hasSuffix("é … 2 members }"), "\(rows)")
        #expect(rows[0].utf8.count < 450 && rows[1] == "{}")
        let marked = view.rows(0..<1, marking: BodySearch("long"))
        #expect(marked[0].spans.first { $0.isMatch }?.text == "long")
        #expect(try #require(view.place(inRow: 0)).text == "1: $")
    }

    @Test func `an unfolded value of a sequence is unfolded whole`() throws {
        var view = BodyFixtures.view(#"{"a":{"b":1}}"# + "\n", "application/x-ndjson")
        view.foldAll()
        view.fold(try #require(view.place(inRow: 0)), false)
        #expect(view.text == "{\n  \"a\": {\n    \"b\": 1\n  }\n}")
    }

    @Test func `a row has the path, the name and the text of its value`() throws {
        let view = BodyFixtures.view(#"{"result":{"items":[{"id":1},{"price":[1.5,true]}],"odd name":null}}"#)
        let places = try view.all.indices.map { try #require(view.place(inRow: $0)) }
        #expect(
            places.map(\.text) == [
                "$", "$.result", "$.result.items", "$.result.items[0]", "$.result.items[0].id", "$.result.items[0]", "$.result.items[1]",
                "$.result.items[1].price", "$.result.items[1].price[0]", "$.result.items[1].price[1]", "$.result.items[1].price", "$.result.items[1]",
                "$.result.items", "$.result['odd name']", "$.result", "$",
            ])
        #expect(view.sourceText(of: places[8], limit: 100) == "1.5")
        #expect(view.sourceText(of: places[10], limit: 100) == "[1.5,true]")
        #expect(view.sourceText(of: places[2], limit: 10) == nil)
        #expect(places[13].key == "odd name" && places[8].key == nil)
        #expect(view.place(inRow: 99) == nil)
    }

    @Test func `rows of a sequence have the number of their value`() throws {
        let view = BodyFixtures.view("{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson")
        #expect(try (0..<view.rowCount).map { try #require(view.place(inRow: $0)).text } == ["1: $", "1: $.a", "1: $", "2: $", "2: $.a", "2: $"])
    }

    @Test(arguments: 1...3) func `the paths and the folds of large bodies are those of their values`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var paths: [(offset: Int, path: String)] = []
        var text = ""
        var target = 300_000
        func write(_ path: String, _ depth: Int) {
            paths.append((text.utf8.count, path))
            let kind = depth == 0 ? 0 : depth > 6 || text.utf8.count > target ? 3 : Int.random(in: 0...4, using: &generator)
            switch kind {
            case 0, 1:
                text += kind == 0 ? "[" : "{"
                let count = depth == 0 ? 4000 : Int.random(in: 0...(depth == 1 ? 300 : 8), using: &generator)
                for index in 0..<count where text.utf8.count <= target || index < 2 {
                    if index > 0 { text += "," }
                    if kind == 1 { text += "\"k\(index)\":" }
                    write(path + (kind == 0 ? "[\(index)]" : ".k\(index)"), depth + 1)
                }
                text += kind == 0 ? "]" : "}"
            case 2: text += "\"\(String(repeating: "text ", count: Int.random(in: 0...200, using: &generator)))\""
            default: text += String(Int.random(in: 0...999_999, using: &generator))
            }
        }
        write("$", 0)
        target = 0
        var view = BodyFixtures.view(text)
        for _ in 0..<300 {
            let (offset, path) = try #require(paths.randomElement(using: &generator))
            #expect(view.place(at: offset)?.text == path, "seed \(seed), byte \(offset)")
        }
        // Large and small containers are folded at random; the rows are those of a view that is folded from the start.
        for _ in 0..<20 {
            let (offset, path) = try #require(paths.filter { $0.path != "$" }.randomElement(using: &generator))
            let place = try #require(view.place(at: offset))
            view.fold(place, !view.isFolded(place))
            while view.canAdvance { view.advance(budget: 100_000) }
            #expect(view.isComplete)
            let row = try #require(view.row(containing: offset))
            #expect(view.rows(row..<row + 1).first != nil, "seed \(seed), \(path)")
            let middle = Int.random(in: 0..<view.rowCount, using: &generator)
            #expect(view.rows(middle..<middle + 30) == Array(view.all[middle..<min(middle + 30, view.rowCount)]), "seed \(seed)")
        }
        var all = BodyFixtures.view(text)
        all.foldAll()
        while all.canAdvance { all.advance(budget: 50_000) }
        let top = try JSONValue(parsing: text)
        guard case .array(let items) = top else { return #expect(Bool(false), "the document is no array") }
        #expect(all.rowCount == items.count + 2)
        for (index, item) in items.enumerated() where index % 97 == 0 {
            let row = all.rows(index + 1..<index + 2).first?.text ?? ""
            switch item {
            case .array(let values) where !values.isEmpty: #expect(row.contains("… \(values.count) item"), "seed \(seed), \(index)")
            case .object(let members) where !members.isEmpty: #expect(row.contains("… \(members.count) member"), "seed \(seed), \(index)")
            default: #expect(!row.contains("…"))
            }
        }
    }

    @Test func `the number of the values of a large folded container is exact, and rows after it are there`() throws {
        let items = (0..<50_000).map { #"{"id":\#($0),"name":"a name"}"# }.joined(separator: ",")
        var view = BodyFixtures.view(#"{"items":[\#(items)],"end":true}"#)
        view.foldAll()
        while view.canAdvance { view.advance(budget: 1 << 20) }
        #expect(view.text == "{\n  \"items\": [ … 50000 items ],\n  \"end\": true\n}")
        #expect(view.rows(2..<3).first?.text == "  \"end\": true")
        #expect(view.rows(1..<2).first?.text == "  \"items\": [ … 50000 items ],")
    }

    @Test func `the first rows of a folded body are there before it is read`() {
        let items = (0..<50_000).map { #"{"id":\#($0),"name":"a name"}"# }.joined(separator: ",")
        var view = BodyView.make(bytes: BodyBytes(Array(#"{"items":[\#(items)],"end":true}"#.utf8)), contentType: "application/json", isFinal: true)
        view.foldAll()
        #expect(view.canAdvance)
        #expect(view.text == "{\n  \"items\": [ … ")
    }

    @Test func `hidden text is found, and revealed`() throws {
        var view = BodyFixtures.view(shop)
        view.foldAll()
        guard case .found(let match) = view.find(BodySearch(#""id": 2"#), from: 0) else {
            Issue.record("nothing was found")
            return
        }
        #expect(view.row(containing: match.lowerBound) == 1)
        let isRevealed = view.reveal(match.lowerBound)
        #expect(isRevealed)
        while view.canAdvance { view.advance(budget: 1 << 20) }
        let row = try #require(view.row(containing: match.lowerBound))
        #expect(view.rows(row..<row + 1).first?.text == #"      "id": 2,"#)
        let isRevealedAgain = view.reveal(match.lowerBound)
        #expect(!isRevealedAgain)
    }

    @Test func `marks are those of the displayed rows`() {
        var view = BodyFixtures.view(shop)
        view.foldAll()
        let marked = view.rows(0..<view.rowCount, marking: BodySearch("2")).flatMap { $0.spans.filter(\.isMatch).map(\.text) }
        #expect(marked == ["2"])
    }

    @Test func `a value nested deeper than 512 levels has no place`() throws {
        let text = String(repeating: "[", count: 600) + "1" + String(repeating: "]", count: 600)
        let view = BodyFixtures.view(text)
        #expect(try #require(view.place(at: 512)).text == "$" + String(repeating: "[0]", count: 512))
        #expect(view.place(at: 513) == nil)
        #expect(view.place(at: 600) == nil)
    }

    @Test func `invalid JSON after a fold is reported with its line`() {
        let text = "{\"a\":[1,2],\n\"b\":\"\(String(repeating: "x", count: 200_000))\",\n\"c\" 1}"
        var view = BodyView.make(bytes: BodyBytes(Array(text.utf8)), contentType: "application/json", isFinal: true)
        view.foldAll()
        #expect(view.text.hasPrefix("{\n  \"a\": [ … 2 items ],"))
        while view.canAdvance { view.advance(budget: 1 << 20) }
        #expect(view.mode == .raw)
        #expect(view.problem?.line == 3)
    }
}
