import SortieBase
import SortieHTTP
import Testing

@Suite struct ResponseCharsetTests {
    private let response = Response(
        status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
        body: BodyBytes(Array("two cups of caf".utf8) + [0xE9] + Array(" au lait".utf8)))

    @Test func `a body is read in a charset that its response does not declare`() throws {
        #expect(response.text == "two cups of caf\u{FFFD} au lait")
        #expect(try response.text(charset: "ISO-8859-1") == "two cups of café au lait")
        let bytes = try response.utf8Body(charset: "latin1")
        #expect(bytes.bytes(in: 0..<bytes.count) == Array("two cups of café au lait".utf8))
        #expect(try response.utf8Body(charset: "utf-8") == response.body)
    }

    @Test func `an unknown charset is an error that names it`() {
        let error = #expect(throws: NetworkError.self) { try response.text(charset: "klingon") }
        #expect(error?.code == .invalidOption && error?.message == "the charset “klingon” is not supported")
    }
}
