import SortieBase
import SortieHTTP
import Testing

@Suite struct ResponseCopyTests {
    @Test func `a change of a copy of a response or of an error does not change the original`() throws {
        var response = Response(status: 200, headers: ["A": "1"], body: BodyBytes(Array("body".utf8)))
        response.url = try HTTPURL(parsing: "http://127.0.0.1/a")
        var head = response.head
        #expect(head != response && head.body.isEmpty && head.url == response.url)
        head.headers.append("B", "2")
        head.url?.path = "/b"
        #expect(response.headers == ["A": "1"] && response.url?.path == "/a" && response.body.count == 4)

        let error = NetworkError(.timedOut, "no response", timeLimit: .idle)
        var copy = error
        copy.response = response
        copy.attempt = 2
        // What belongs to the attempt is no part of the error.
        #expect(copy == error && error.response == nil && error.attempt == nil)
        copy.message = "none"
        #expect(copy != error && error.message == "no response")
    }
}
