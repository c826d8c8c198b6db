import Foundation
import Testing

@Suite struct CookieRoutesTests {
    @Test func `cookies that were set are sent again`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-L", "-c", "jar", base + "/cookies/set?theme=dark&city=K%C3%B6ln")
            #expect(response.json("header") == "theme=dark; city=K%C3%B6ln")
        }
    }

    @Test func `a deleted cookie is not sent again`() async throws {
        try await withServer { base async throws in
            let jar = FileManager.default.temporaryDirectory.appendingPathComponent("jar-" + UUID().uuidString).path
            defer { _ = try? FileManager.default.removeItem(atPath: jar) }
            let first = try await Curl.run("-L", "-b", jar, "-c", jar, base + "/cookies/set?a=1&b=2")
            #expect(first.json("cookies.a") == "1")
            let second = try await Curl.run("-L", "-b", jar, "-c", jar, base + "/cookies/delete?a")
            #expect(second.json("header") == "b=2")
        }
    }

    @Test func `an invalid cookie name gives a 400`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run(base + "/cookies/set?a%3Bb=1").status == 400)
        }
    }
}
