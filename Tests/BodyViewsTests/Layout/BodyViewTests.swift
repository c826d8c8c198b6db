import SortieHTTP
import Support
import Testing

@testable import BodyViews
@testable import SortieBase

struct BodyViewTests {
    @Test func `a body that proves not to be JSON is displayed raw with one notice`() {
        let good = "[" + String(repeating: "1,\n", count: 100_000)
        var view = BodyView.make(bytes: BodyBytes(Array((good + "}").utf8)), contentType: "application/json", isFinal: true)
        #expect(view.mode == .pretty && view.rows(0..<2).map(\.text) == ["[", "  1,"])
        while view.canAdvance { view.advance(budget: 50_000) }
        #expect(view.mode == .raw && view.rowCount == 100_001)
        #expect(view.notice == "not JSON: unexpected '}', expected a value at line 100001, column 1 (byte 300001)")
        #expect(view.modes == [.raw, .hex])
        view.show(.pretty)
        #expect(view.mode == .raw)
    }

    @Test func `a body that arrives byte by byte gives the same result as one that arrives at once`() {
        let text = #"{"a":[1,2,{"b":"é"}],"c":true}"#
        for type in ["application/json", "text/plain", nil] {
            let bytes = Array(text.utf8)
            var view = BodyView.make(bytes: .empty, contentType: type, isFinal: false)
            for count in 1...bytes.count {
                view.grow(to: BodyBytes(Array(bytes[..<count])), isFinal: count == bytes.count)
                #expect(!view.canAdvance)
                #expect(view.problem == nil)
            }
            #expect(view.isComplete)
            #expect(view.text == BodyFixtures.view(bytes, type).text)
        }
    }

    @Test func `available rows are displayed before the body has ended`() {
        let view = BodyView.make(bytes: BodyBytes(Array("{\"a\": \"unfin".utf8)), contentType: "application/json", isFinal: false)
        #expect(view.text == "{\n  \"a\": \"unfin")
        #expect(!view.isComplete && view.problem == nil)
    }

    @Test func `an empty body has no rows`() {
        let view = BodyView.make(bytes: .empty, contentType: "application/json", isFinal: true)
        #expect(view.kind == .empty && view.rowCount == 0 && view.isComplete && view.notice == nil)
    }

    @Test func `line-delimited values are formatted separately`() {
        let view = BodyFixtures.view("{\"a\":1}\n\n[2]\r\n3\n", "application/x-ndjson")
        #expect(view.text == "{\n  \"a\": 1\n}\n[\n  2\n]\n3")
        #expect(BodyFixtures.view("1\n2", "application/json").notice?.contains("expected the end of the text") == true)
        #expect(BodyFixtures.view("1 2", "application/x-ndjson").problem?.byte == 2)
    }

    @Test func `JSON in UTF-16 is decoded and formatted, with a notice`() {
        let view = BodyFixtures.view(TextEncoding.utf16LittleEndian.encode("{\"a\":1}") ?? [])
        #expect(view.mode == .pretty && view.text == "{\n  \"a\": 1\n}")
        #expect(view.notice == "this JSON is in UTF-16LE, but RFC 8259 requires UTF-8")
    }

    @Test func `the same body can be displayed in three modes`() {
        var view = BodyFixtures.view("{\"a\":1}")
        #expect(view.modes == [.pretty, .raw, .hex])
        view.show(.raw)
        #expect(view.text == "{\"a\":1}")
        view.show(.hex)
        #expect(view.text == "00000000  7b 22 61 22 3a 31 7d                              {\"a\":1}")
        view.show(.pretty)
        #expect(view.text == "{\n  \"a\": 1\n}")
    }

    @Test func `matches are separate, marked spans in every mode`() {
        var view = BodyFixtures.view(#"{"name":"Ünamed NAME"}"#)
        let search = BodySearch("name")
        let matches = { (view: BodyView) in
            view.rows(0..<view.rowCount, marking: search).flatMap(\.spans).filter(\.isMatch).map(\.text)
        }
        #expect(matches(view) == ["name", "name", "NAME"])
        #expect(view.rows(0..<9, marking: search).map(\.text) == view.all.map(\.text))
        view.show(.raw)
        #expect(matches(view) == ["name", "name", "NAME"])
        view.show(.hex)
        #expect(matches(view).first == "6e 61 6d 65")
    }

    @Test func `a match across a row boundary is marked in both rows`() {
        let text = String(repeating: "x", count: 4094) + "needle" + String(repeating: "y", count: 50)
        let view = BodyFixtures.view(text, "text/plain")
        let marked = view.rows(0..<2, marking: BodySearch("needle")).map { $0.spans.filter(\.isMatch).map(\.text) }
        #expect(marked == [["ne"], ["edle"]])
        #expect(view.matches(of: BodySearch("needle"), touching: view.all[1].sourceRange) == [4094..<4100])
    }
}
