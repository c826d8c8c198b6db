import SortieBase
import SortieHTTP
import Testing

@Suite struct ResponseCharsetTests {
    private let response = Response(status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"], body: BodyBytes([0x63, 0x61, 0x66, 0xE9]))

    @Test func `a body is read in a charset that its response does not declare`() throws {
        #expect(response.text == "caf\u{FFFD}")
        #expect(try response.text(charset: "ISO-8859-1") == "café")
        #expect(try response.utf8Body(charset: "latin1") == BodyBytes(Array("café".utf8)))
        #expect(try response.utf8Body(charset: "utf-8") == response.body)
    }

    @Test func `an unknown charset is an error that names it`() {
        let error = #expect(throws: NetworkError.self) { try response.text(charset: "klingon") }
        #expect(error?.code == .invalidOption && error?.message == "the charset “klingon” is not supported")
    }
}
