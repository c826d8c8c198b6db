import Foundation
import Testing

@Suite struct RedirectRoutesTests {
    @Test(arguments: ["false", "true"])
    func `a chain of redirects ends at the echo`(absolute: String) async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-L", base + "/redirect/3?absolute=" + absolute)
            #expect(response.json("path") == "/echo")
            #expect(response.headerText.components(separatedBy: "302 Found").count == 4)
        }
    }

    @Test func `the loop never ends`() async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run("-L", "--max-redirs", "5", base + "/redirect/loop").exitCode == 47)
        }
    }

    @Test func `a 307 keeps method and body`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-L", "-d", "a=b", base + "/redirect-to?url=/echo/x&status=307")
            #expect(response.json("method") == "POST")
            #expect(response.json("body.text") == "a=b")
        }
    }

    @Test func `the other origin is the same server under a different name`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-L", "-u", "demo:sortie", base + "/redirect/cross-origin?to=/echo/there")
            #expect(response.json("path") == "/echo/there")
            #expect(!response.text.contains("Authorization"))
        }
    }

    @Test func `Location cannot contain a line break`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/redirect-to?url=/x%0d%0aSet-Cookie:a=b")
            #expect(response.status == 400)
            #expect(response.header("Set-Cookie") == nil)
        }
    }
}
