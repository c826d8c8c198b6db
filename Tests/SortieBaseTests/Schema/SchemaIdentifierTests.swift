import SortieBase
import Testing

@Suite struct SchemaIdentifierTests {
    @Test(arguments: [
        ("b", "https://h.example/a/x", "https://h.example/a/b"), ("../b/", "https://h.example/a/c/x", "https://h.example/a/b/"),
        ("/b", "https://h.example/a/x?q", "https://h.example/b"), ("//g/b", "https://h.example/a", "https://g/b"),
        ("b", "https://h.example", "https://h.example/b"), ("#f", "https://h.example/a", "https://h.example/a"), ("urn:x:y", "a/b", "urn:x:y"),
        ("../c.yaml", "a/b.yaml", "c.yaml"), ("c", "b", "c"),
    ])
    func `an identifier is relative to the one around it, which may be a path`(reference: String, base: String, result: String) {
        #expect(SchemaIdentifier.resolved(reference, against: base) == result)
    }
}
