import Foundation
import Testing

@Suite struct EchoRoutesTests {
    @Test func `path and query are returned as sent and decoded`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-H", "X-One: 1", base + "/echo/a%2Fb?x=1&x=%E4%BD%A0+z&y")
            #expect(response.json("path") == "/echo/a%2Fb")
            #expect(response.json("query") == "x=1&x=%E4%BD%A0+z&y")
            #expect(response.json("parameters.1.1") == "你 z")
            #expect(response.json("parameters.2.1") == "<null>")
            #expect(response.text.contains("[\"X-One\",\"1\"]"))
        }
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY"])
    func `every registered method is echoed`(method: String) async throws {
        try await withServer { base async throws in
            #expect(try await Curl.run("-X", method, base + "/echo").json("method") == method)
        }
    }

    @Test func `a text body is returned as text with its digest`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("--data-binary", "grün", base + "/echo")
            #expect(response.json("body.text") == "grün")
            #expect(response.json("bytes") == "5")
            #expect(response.json("sha256") == Data("grün".utf8).sha256)
        }
    }

    @Test func `a body that is not text is returned as Base64`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("--data-binary", "@input", base + "/echo", input: Data([0xFF, 0, 1]))
            #expect(response.json("body.encoding") == "base64")
            #expect(response.json("body.text") == "/wAB")
        }
    }

    @Test func `a long body is counted and hashed but returned only in part`() async throws {
        try await withServer { base async throws in
            let input = Data(repeating: 97, count: 3_000_000)
            let response = try await Curl.run("--data-binary", "@input", base + "/echo", input: input)
            #expect(response.json("bytes") == "3000000")
            #expect(response.json("sha256") == input.sha256)
            #expect(response.json("body.truncatedAt") == "1048576")
        }
    }

    @Test func `the parts of a form are described`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(
                "-F", "title=你好", "-F", "file=@input;type=text/x;filename=Ü.txt", base + "/echo", input: Data("content".utf8))
            #expect(response.json("parts.0.name") == "title")
            #expect(response.json("parts.1.filename") == "Ü.txt")
            #expect(response.json("parts.1.type") == "text/x")
            #expect(response.json("parts.1.sha256") == Data("content".utf8).sha256)
        }
    }

    @Test func `the fields of a form are decoded`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("--data-urlencode", "a=1 + 1 & 你", base + "/echo")
            #expect(response.json("form.0.1") == "1 + 1 & 你")
        }
    }
}
