import SortieBase
import SortieHTTP
import Testing

/// Tests the text about an incomplete body.
@Suite struct ResponseShareTests {
    private func response(_ received: Int, headers: Headers, wire: Int64? = nil, truncation: String? = "cut") -> Response {
        Response(
            status: 200, headers: headers, body: BodyBytes(Array(repeating: 0x61, count: received)), truncation: truncation,
            wireBytes: wire ?? Int64(received))
    }

    @Test func `the received and the announced number of bytes are named`() {
        #expect(response(12, headers: [HeaderField("Content-Length", "100")]).receivedShare == "12 of 100 bytes")
        #expect(response(12_000, headers: [HeaderField("Content-Length", "2000000")]).receivedShare == "12 kB of 2.0 MB")
        let coded: Headers = [HeaderField("Content-Length", "100"), HeaderField("Content-Encoding", "gzip")]
        #expect(response(500, headers: coded, wire: 40).receivedShare == "40 of 100 bytes")
        #expect(response(0, headers: coded, wire: 100).receivedShare == "100 of 100 bytes")
    }

    @Test func `without an announced length the number is unknown`() {
        #expect(response(5, headers: [HeaderField("Transfer-Encoding", "chunked")]).receivedShare == "5 bytes of an unknown number")
        #expect(response(1, headers: [HeaderField("Content-Length", "-4")]).receivedShare == "1 byte of an unknown number")
    }

    @Test func `a complete body has no share`() {
        #expect(response(5, headers: [HeaderField("Content-Length", "5")], truncation: nil).receivedShare == nil)
        #expect(response(0, headers: []).receivedShare == nil)
    }
}
