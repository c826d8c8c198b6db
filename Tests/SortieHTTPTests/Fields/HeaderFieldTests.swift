import SortieHTTP
import Testing

@Suite struct HeaderFieldTests {
    @Test func `a name is compared without case (RFC 9110 §5.1)`() {
        #expect(HeaderField("Content-Type", "").isNamed("content-TYPE"))
        #expect(!HeaderField("Content-Type", "").isNamed("Content-Typ"))
        // `@` and backtick differ by the bit that distinguishes upper and lower case, but are not letters.
        #expect(!HeaderField("a`", "").isNamed("a@"))
    }

    @Test(arguments: [
        (HeaderField("", "x"), "a header has no name"),
        (HeaderField("A:", "x"), "the header name “A:” has a character that is not allowed in a name"),
        (HeaderField("A B", "x"), "the header name “A B” has a character that is not allowed in a name"),
        (HeaderField("A", "x\r\nB: y"), "the value of the header A contains a line break, which would start another header"),
        (HeaderField("A", "x\n"), "the value of the header A contains a line break, which would start another header"),
        (HeaderField("A", "x\u{0}"), "the value of the header A contains a NUL character, which would start another header"),
    ])
    func `a field that would start another field must not be sent (RFC 9110 §5.5)`(field: HeaderField, problem: String) {
        #expect(field.problem == problem)
    }

    @Test(arguments: [HeaderField("A", ""), HeaderField("X-Ä".replacing("Ä", with: "A"), "ä\tö"), HeaderField("~", "\"quoted\"")])
    func `any other field may be sent`(field: HeaderField) {
        #expect(field.problem == nil)
    }

    @Test func `the value of a credential is masked wherever it is displayed`() {
        for name in CredentialNames.everywhere + ["authorization", "COOKIE"] {
            let field = HeaderField(name, "s3cret")
            #expect(field.isSecret && field.description == "\(name): ••••")
        }
        #expect(HeaderField("Accept", "*/*").description == "Accept: */*")
    }
}
