import Foundation
import Testing

@Suite struct EchoRoutesTests {
    @Test func `path and query are returned as sent and decoded`() async throws {
        try await withServer { base async throws in
            let answer = try await Curl.run("-H", "X-One: 1", base + "/echo/a%2Fb?x=1&x=%E4%BD%A0+z&y")
            #expect(answer.json("path") == "/echo/a%2Fb")
            #expect(answer.json("query") == "x=1&x=%E4%BD%A0+z&y")
            #expect(answer.json("parameters.1.1") == "你 z")
            #expect(answer.json("parameters.2.1") == "<null>")
            #expect(answer.text.contains("[\"X-One\",\"1\"]"))
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
            let answer = try await Curl.run("--data-binary", "grün", base + "/echo")
            #expect(answer.json("body.text") == "grün")
            #expect(answer.json("bytes") == "5")
            #expect(answer.json("sha256") == Data("grün".utf8).sha256)
        }
    }

    @Test func `a body that is not text is returned as Base64`() async throws {
        try await withServer { base async throws in
            let answer = try await Curl.run("--data-binary", "@input", base + "/echo", input: Data([0xFF, 0, 1]))
            #expect(answer.json("body.encoding") == "base64")
            #expect(answer.json("body.text") == "/wAB")
        }
    }

    @Test func `a long body is counted and hashed but returned only in part`() async throws {
        try await withServer { base async throws in
            let input = Data(repeating: 97, count: 3_000_000)
            let answer = try await Curl.run("--data-binary", "@input", base + "/echo", input: input)
            #expect(answer.json("bytes") == "3000000")
            #expect(answer.json("sha256") == input.sha256)
            #expect(answer.json("body.truncatedAt") == "1048576")
        }
    }

    @Test func `the parts of a form are described`() async throws {
        try await withServer { base async throws in
            let answer = try await Curl.run(
                "-F", "title=你好", "-F", "file=@input;type=text/x;filename=Ü.txt", base + "/echo", input: Data("content".utf8))
            #expect(answer.json("parts.0.name") == "title")
            #expect(answer.json("parts.1.filename") == "Ü.txt")
            #expect(answer.json("parts.1.type") == "text/x")
            #expect(answer.json("parts.1.sha256") == Data("content".utf8).sha256)
        }
    }

    @Test func `the fields of a form are decoded`() async throws {
        try await withServer { base async throws in
            let answer = try await Curl.run("--data-urlencode", "a=1 + 1 & 你", base + "/echo")
            #expect(answer.json("form.0.1") == "1 + 1 & 你")
        }
    }
}
