import Testing

@Suite struct LogRoutesTests {
    @Test func `every request is logged once, in order, with its trace ID`() async throws {
        try await withServer { base async throws in
            _ = try await Curl.run("-H", "X-Trace: t1", "-d", "x", base + "/upload?a=b")
            _ = try await Curl.run(base + "/nowhere")
            let log = try await Curl.run(base + "/log")
            #expect(log.json("count") == "2")
            #expect(log.json("requests.0.method") == "POST")
            #expect(log.json("requests.0.query") == "a=b")
            #expect(log.json("requests.0.trace") == "t1")
            #expect(log.json("requests.1.path") == "/nowhere")
        }
    }

    @Test func `the log can be filtered and cleared`() async throws {
        try await withServer { base async throws in
            for path in ["/empty", "/orders", "/empty"] { _ = try await Curl.run(base + path) }
            #expect(try await Curl.run(base + "/log?path=/empty").json("count") == "2")
            #expect(try await Curl.run("-X", "DELETE", base + "/log").status == 204)
            #expect(try await Curl.run(base + "/log").json("count") == "0")
        }
    }
}
