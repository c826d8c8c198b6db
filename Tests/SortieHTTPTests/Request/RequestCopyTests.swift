import SortieHTTP
import Testing

@Suite struct RequestCopyTests {
    @Test func `a change of a copy does not change the original, and copies without a change are equal`() throws {
        var original = Request(url: try HTTPURL(parsing: "http://127.0.0.1/a"), headers: ["A": "1"])
        original.options.maximumRedirects = 3
        var copy = original
        #expect(copy == original)
        copy.headers.append("B", "2")
        copy.url.path = "/b"
        copy.options.maximumRedirects = 5
        copy.secrets.values.insert("secret")
        #expect(original.headers == ["A": "1"] && original.url.path == "/a" && original.options.maximumRedirects == 3)
        #expect(original.secrets.isEmpty)
        #expect(copy.headers == ["A": "1", "B": "2"] && copy.url.path == "/b" && copy.options.maximumRedirects == 5)
        #expect(copy != original)
    }
}
