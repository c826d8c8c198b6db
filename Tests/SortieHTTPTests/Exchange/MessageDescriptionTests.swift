import SortieHTTP
import Testing

/// Tests what a program prints of requests and responses.
@Suite struct MessageDescriptionTests {
    @Test func `a printed request has its method, URL, fields and body, with secrets masked`() throws {
        var request = Request(
            method: .post, url: try HTTPURL(parsing: "https://u:pw-hidden@shop.test/a?page=1&token=t-hidden"),
            headers: ["Authorization": "Bearer b-hidden", "X-Note": "with s3cret-value"], body: .text("hello", contentType: "text/plain"))
        request.secrets.values.insert("s3cret-value")
        let expected = """
            POST https://shop.test/a?page=1&token=••••
            Authorization: ••••
            X-Note: with ••••
            (5 B of text/plain)
            """
        #expect("\(request)" == expected)
        #expect(String(reflecting: request) == expected)
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["hidden", "s3cret", "storage", "box"] { #expect(!dumped.contains(text), "\(dumped)") }
    }

    @Test func `a printed response has its status line, its fields and the size of its body`() {
        let response = Response(status: 200, reason: "OK", headers: ["A": "1", "Set-Cookie": "s3cret"], body: BodyBytes([1, 2, 3]))
        #expect("\(response)" == "HTTP/1.1 200 OK\nA: 1\nSet-Cookie: ••••\n(3 B)")
    }
}
