import Foundation
import Testing

@testable import SortieDemoServer

@Suite struct ContentRoutesTests {
    @Test func `a gzip body is valid gzip, and is sent only where it is accepted`() async throws {
        try await withServer { base async throws in
            let plain = try await Curl.run(base + "/gzip")
            let packed = try await Curl.run("--compressed", base + "/gzip")
            #expect(packed.header("Content-Encoding") == "gzip")
            #expect(plain.header("Content-Encoding") == nil)
            #expect(packed.body == plain.body)
            #expect(try await Curl.run("-H", "Accept-Encoding: gzip;q=0, br", base + "/gzip").header("Content-Encoding") == nil)
        }
    }

    @Test func `stored gzip has the checksum of RFC 1952`() {
        #expect(Gzip.crc32(Data("123456789".utf8)) == 0xCBF4_3926)
        #expect(Gzip.stored(Data(count: 200_000)).count == 10 + 200_000 + 4 * 5 + 8)
    }

    @Test func `a large array is valid JSON and is streamed without a length`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/json/large?megabytes=2")
            #expect(response.body.count > 2_000_000)
            #expect(response.header("Content-Length") == nil)
            #expect(response.json("0.index") == "1")
        }
    }

    @Test func `a binary body has the requested size`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/binary?bytes=100001").body.count == 100_001)
            #expect(try await Curl.run(base + "/binary?bytes=0").body.isEmpty)
        }
    }

    @Test func `the body and a header field contain escape sequences`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/escape")
            #expect(response.text.contains("\u{1B}]0;title taken\u{07}"))
            #expect(response.header("X-Escape")?.hasPrefix("\u{1B}[31m") == true)
        }
    }

    @Test(arguments: [
        ("/html", "text/html"), ("/xml", "application/xml"), ("/text", "text/plain"), ("/invalid-json", "application/json"),
        ("/csv", "text/csv"), ("/image", "image/png"),
    ])
    func `each content has its media type`(path: String, type: String) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + path)
            #expect(response.header("Content-Type")?.hasPrefix(type) == true)
            #expect(!response.body.isEmpty)
        }
    }

    @Test func `text is encoded in the declared charset`() async throws {
        try await withServer { base async throws in
            let latin = try await Curl.run(base + "/text/latin1").body
            #expect(String(data: latin, encoding: .isoLatin1) == "Grüße aus Köln\n")
            let wide = try await Curl.run(base + "/text/utf-16").body
            #expect(String(data: wide, encoding: .utf16) == "你好, Grüße 👋\n")
            #expect(try await Curl.run(base + "/text/ebcdic").status == 404)
        }
    }

    @Test func `large header fields have the requested size`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/headers/large?kilobytes=64")
            #expect(response.headerText.utf8.count > 64 * 1024)
        }
    }
}
