import Foundation
import Testing

@Suite struct UploadRoutesTests {
    private static let input = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    @Test(arguments: [["-H", "Expect:"], ["-H", "Expect: 100-continue"], ["-H", "Transfer-Encoding: chunked"]])
    func `an upload is counted and hashed`(option: [String]) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(option[0], option[1], "-T", "input", base + "/upload", input: Self.input)
            #expect(response.json("bytes") == "3000000")
            #expect(response.json("sha256") == Self.input.sha256)
        }
    }

    @Test func `a client that waits for 100 Continue receives it`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(
                "-H", "Expect: 100-continue", "--expect100-timeout", "15", "-T", "input", base + "/upload", input: Self.input)
            #expect(response.headerText.hasPrefix("HTTP/1.1 100 Continue"))
        }
    }

    @Test func `each part of a form is hashed`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-F", "a=b", "-F", "f=@input;filename=x.bin", base + "/upload", input: Self.input)
            #expect(response.json("parts.0.bytes") == "1")
            #expect(response.json("parts.1.filename") == "x.bin")
            #expect(response.json("parts.1.sha256") == Self.input.sha256)
        }
    }

    @Test func `the body is read at the requested rate`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-d", "12345", base + "/upload?rate=50")
            #expect((Double(response.json("seconds") ?? "") ?? 0) >= 0.1, "the server must not be faster than asked")
        }
    }
}
