import Testing

@Suite struct FlakyRoutesTests {
    @Test func `a key fails the requested number of times, then succeeds`() async throws {
        try await withServer { base async throws in
            var statuses: [Int] = []
            for _ in 1...4 { statuses.append(try await Curl.run(base + "/flaky?fail=2&key=a&status=502").status) }
            #expect(statuses == [502, 502, 200, 200])
            let other = try await Curl.run(base + "/flaky?fail=2&key=b&retryAfter=7")
            #expect(other.status == 503)
            #expect(other.header("Retry-After") == "7")
        }
    }

    @Test func `a dropped connection gives an empty reply`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/flaky/drop").exitCode == 52)
            #expect(try await Curl.run(base + "/flaky/drop?fail=1&key=k").exitCode == 52)
            #expect(try await Curl.run(base + "/flaky/drop?fail=1&key=k").status == 200)
        }
    }

    @Test func `a truncated body ends too early`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/flaky/cut?bytes=1000&after=300")
            #expect(response.exitCode == 18)
            #expect(response.body.count == 300)
        }
    }
}
