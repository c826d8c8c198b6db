import Testing

@testable import SortieNetworking

@Suite struct HeaderBytesTests {
    private func header(_ lines: [String]) -> HeaderBytes {
        var header = HeaderBytes()
        for line in lines { Array("\(line)\r\n".utf8).withUnsafeBytes { _ = header.take($0) } }
        return header
    }

    @Test(arguments: ["Content-Encoding: gzip", "content-encoding:br", "TRANSFER-ENCODING: chunked"])
    func `a field with codings is found without parsing`(_ line: String) {
        #expect(header(["HTTP/1.1 200 OK", "A: 1", line, ""]).mayHaveCodings)
    }

    @Test(arguments: ["Content-Language: de", "Accept-Encodings: gzip", "A: Content-Encoding: gzip", "X-ContentEncoded: yes"])
    func `no other field counts as one with codings`(_ line: String) {
        #expect(!header(["HTTP/1.1 200 OK", line, ""]).mayHaveCodings)
    }

    @Test func `the codings of an earlier block do not count for the last one`() {
        #expect(!header(["HTTP/1.1 401 No", "Content-Encoding: gzip", "", "HTTP/1.1 200 OK", "A: 1", ""]).mayHaveCodings)
    }

    @Test func `spaces between the parts of the status line are skipped, and a reason is kept`() {
        let block = header(["HTTP/1.1   204   Not  here", "A:  1 ", ""]).block
        #expect(block.httpVersion == "1.1" && block.status == 204 && block.reason.hasSuffix("Not  here"))
        #expect(header(["HTTP/2 200", ""]).block.reason.isEmpty)
        #expect(block.headers["A"] == "1")
    }
}
