import SortieHTTP
import Testing

@Suite struct HeadersTests {
    private let headers: Headers = [HeaderField("A", "1"), HeaderField("B", "2"), HeaderField("a", "3")]

    @Test func `fields keep their order and duplicates`() {
        #expect(headers["a"] == "1")
        #expect(headers.values(of: "A") == ["1", "3"])
        #expect(headers["C"] == nil && !headers.contains("C") && headers.contains("b"))
    }

    @Test func `a dictionary literal keeps the order and names that occur several times`() {
        let literal: Headers = ["A": "1", "B": "2", "a": "3"]
        #expect(literal == headers)
        #expect((["A": "1"] as Headers).fields == [HeaderField("A", "1")] && ([:] as Headers).fields.isEmpty)
    }

    @Test func `setting a field replaces all fields of that name in the position of the first`() {
        var changed = headers
        changed["A"] = "x"
        #expect(changed.fields == [HeaderField("A", "x"), HeaderField("B", "2")])
        changed["b"] = nil
        #expect(changed.fields == [HeaderField("A", "x")])
        changed["C"] = "y"
        #expect(changed.fields.last == HeaderField("C", "y"))
    }

    @Test func `more specific fields replace all fields of their name (S1.2)`() {
        let overlaid = headers.overlaid(with: [HeaderField("a", "x"), HeaderField("C", "y")])
        #expect(overlaid.fields == [HeaderField("B", "2"), HeaderField("a", "x"), HeaderField("C", "y")])
    }

    @Test func `credentials are masked in the description`() {
        let headers: Headers = [HeaderField("Cookie", "a=b"), HeaderField("A", "1")]
        #expect(headers.description == "Cookie: ••••\nA: 1")
        #expect(Redaction.standard.masked(headers)["Cookie"] == "••••")
    }
}
