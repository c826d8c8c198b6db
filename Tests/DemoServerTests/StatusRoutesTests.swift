import Foundation
import Testing

@Suite struct StatusRoutesTests {
    @Test(arguments: [200, 201, 299, 404, 418, 429, 500, 503, 599])
    func `any status is returned with a body`(status: Int) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/status/\(status)?body=h%C3%AF")
            #expect(response.status == status)
            #expect(response.text == "hï")
        }
    }

    @Test(arguments: [204, 205, 304])
    func `some statuses have no body, and the connection stays usable`(status: Int) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/status/\(status)", base + "/empty")
            #expect(response.headerText.hasPrefix("HTTP/1.1 \(status) "))
            #expect(response.headerText.contains("HTTP/1.1 200 OK"))
            #expect(response.connections == 0)
        }
    }

    @Test func `a 3xx has the requested Location`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/status/308?location=/echo").header("Location") == "/echo")
        }
    }

    @Test(arguments: ["199", "600", "0", "abc", "-1"])
    func `an invalid status gives a 400`(text: String) async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/status/" + text).status == 400)
        }
    }

    @Test func `a delayed response arrives, and a delay out of range gives a 400`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/delay/0.01").json("result.asked") == "0.01")
            #expect(try await Curl.run(base + "/delay/601").status == 400)
        }
    }

    @Test(arguments: [("true", "50000"), ("false", nil)] as [(String, String?)])
    func `a slow body has a length or is chunked`(length: String, expected: String?) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/drip?bytes=50kB&seconds=0.1&length=" + length)
            #expect(response.body.count == 50_000)
            #expect(response.header("Content-Length") == expected)
            #expect((response.header("Transfer-Encoding") == "chunked") == (expected == nil))
        }
    }

    @Test func `events are sent as an event stream`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/sse?count=3&interval=0")
            #expect(response.header("Content-Type")?.hasPrefix("text/event-stream") == true)
            #expect(response.text.components(separatedBy: "\n\n").count == 4)
        }
    }
}
