import Foundation
import Testing

@Suite struct FileRoutesTests {
    @Test func `a file has length, validators and ranges`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("--head", base + "/files/big.bin?size=20GB")
            #expect(response.header("Content-Length") == "20000000000")
            #expect(response.header("Accept-Ranges") == "bytes")
            #expect(response.header("ETag") == "\"big-20000000000-0\"")
            #expect(response.header("Last-Modified")?.hasSuffix("GMT") == true)
            #expect(response.header("Date")?.hasSuffix("GMT") == true)
        }
    }

    @Test(arguments: [
        ("0-99", 0..<100), ("70000-", 70_000..<150_000), ("-1", 149_999..<150_000), ("149999-999999", 149_999..<150_000),
    ])
    func `a range gives a 206 with these bytes of the complete file`(range: String, expected: Range<Int>) async throws {
        try await withServer { base async throws in
            let url = base + "/files/big.bin?size=150kB"
            let whole = try await Curl.run(url)
            let part = try await Curl.run("-r", range, url)
            #expect(part.status == 206)
            #expect(part.body == whole.body.subdata(in: expected))
            #expect(part.header("Content-Range") == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/150000")
        }
    }

    @Test func `a range beyond the end gives a 416 with the length`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-r", "1000-", base + "/files/big.bin?size=1000")
            #expect(response.status == 416)
            #expect(response.header("Content-Range") == "bytes */1000")
        }
    }

    @Test func `If-Range with a different ETag gives the complete file`() async throws {
        try await withServer { base async throws in
            let url = base + "/files/big.bin?size=1000"
            #expect(try await Curl.run("-r", "0-9", "-H", "If-Range: \"other\"", url).body.count == 1000)
            #expect(try await Curl.run("-r", "0-9", "-H", "If-Range: \"big-1000-0\"", url).body.count == 10)
        }
    }

    @Test func `If-None-Match with the same ETag gives a 304`() async throws {
        try await withServer { base async throws in
            let url = base + "/files/big.bin?size=1000"
            #expect(try await Curl.run("-H", "If-None-Match: \"x\", W/\"big-1000-0\"", url).status == 304)
            #expect(try await Curl.run("-H", "If-None-Match: \"x\"", url).status == 200)
        }
    }

    @Test func `a changed file has different content, a different ETag and the same length`() async throws {
        try await withServer { base async throws in
            let url = base + "/files/changing.bin?size=70kB"
            let before = try await Curl.run(url)
            #expect(try await Curl.run("-X", "POST", base + "/files/changing.bin/change").status == 200)
            let tag = try #require(before.header("ETag"))
            let after = try await Curl.run("-r", "10-", "-H", "If-Range: " + tag, url)
            #expect(after.status == 200)
            #expect(after.body.count == before.body.count)
            #expect(after.body != before.body)
            #expect(after.header("ETag") != tag)
        }
    }

    @Test func `every second request without a range gets a different file`() async throws {
        try await withServer { base async throws in
            var tags: [String] = []
            for option in ["--get", "--get", "--get", "-r1-2", "--get", "--get"] {
                tags.append(try await Curl.run(option, base + "/files/changing.bin?size=10&every=2").header("ETag") ?? "none")
            }
            #expect(tags == [0, 0, 1, 1, 1, 2].map { "\"changing-10-\($0)\"" })
        }
    }

    @Test func `a file name is sent in both notations (RFC 6266)`() async throws {
        try await withServer { base async throws in
            let field = try await Curl.run(base + "/files/named?size=10&name=a%22%E6%8A%A5.bin").header("Content-Disposition")
            #expect(field == "attachment; filename=\"a__.bin\"; filename*=UTF-8''a%22%E6%8A%A5.bin")
        }
    }

    @Test func `a client that disconnects does not affect the server`() async throws {
        try await withServer { base async throws in
            let gone = try await Curl.run("--max-filesize", "1", base + "/files/big.bin?size=20GB")
            #expect(gone.exitCode == 63)
            #expect(try await Curl.run(base + "/files/big.bin?size=10").body.count == 10)
        }
    }
}
