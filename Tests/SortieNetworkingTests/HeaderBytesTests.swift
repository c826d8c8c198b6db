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

    @Test(arguments: ["HTTP/1.1 200OK", "HTTP/1.1 200\tOK", "HTTP/1.1 200 OK"]) func `the status ends with its digits, as in libcurl`(_ line: String)
    {
        let response = header([line, ""])
        #expect(response.status == 200 && response.block.status == 200 && response.block.reason == "OK")
    }

    @Test(arguments: ["http/1.1 200 ok", "Http/1.1 200 OK"]) func `the name of the protocol is compared in any case, as libcurl does`(_ line: String)
    {
        let response = header([line, "A: 1", ""])
        #expect(response.status == 200 && response.isComplete && response.block.status == 200 && response.block.headers["A"] == "1")
    }

    @Test func `a line without a colon is no part of the field before`() {
        let block = header(["HTTP/1.1 200 OK", "Content-Length: 3", "and more", "B: 2", " folded", ""]).block
        #expect(block.headers == ["Content-Length": "3", "B": "2 folded"])
    }

    @Test func `a field whose name begins like a status line is a field`() {
        let response = header(["HTTP/1.1 204 No", "HTTP/2: no", "B: 2", ""])
        #expect(response.status == 204 && response.isComplete)
        #expect(response.block.status == 204 && response.block.headers["HTTP/2"] == "no" && response.block.headers["B"] == "2")
        #expect(header(["HTTP/1.1 103 Early", "A: 1", "", "HTTP/1.1 200 OK", ""]).status == 200)
    }

    @Test func `a trailer that begins like a status line begins no response`() {
        let response = header(["HTTP/1.1 200 OK", "A: 1", "", "HTTP/1.1 500 Injected", "HTTP/X: no", "B: 2", ""])
        #expect(response.status == 200 && response.isComplete && response.block.headers["A"] == "1")
        #expect(response.block.trailers["HTTP/X"] == "no" && response.block.trailers["B"] == "2")
        #expect(header(["HTTP/1.1 401 No", "", "HTTP/1.1 200 OK", ""]).status == 200)
    }

    @Test func `the reason and the names of fields are read as Latin-1 where they are no UTF-8, as values are`() {
        var header = HeaderBytes()
        for line in ["HTTP/1.1 200 Tr\u{e8}s bien\r\n", "X-N\u{e9}: caf\u{e9}\r\n", "\r\n"] {
            line.unicodeScalars.map { UInt8($0.value) }.withUnsafeBytes { _ = header.take($0) }
        }
        #expect(header.block.reason == "Très bien" && header.block.headers.fields.map(\.name) == ["X-Né"])
    }
}
