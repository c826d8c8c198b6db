import Foundation
import SortieDemoServer
import Support
import Testing

@Suite struct DemoServerTests {
    @Test func `the index lists every route with a description`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/")
            #expect(response.status == 200)
            #expect(response.json("routes.0.path") == "/orders")
            #expect(response.json("routes.0.summary")?.isEmpty == false)
        }
    }

    @Test func `an unknown path gives a 404 that refers to the index`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run(base + "/nowhere")
            #expect(response.status == 404)
            #expect(response.json("hint")?.hasPrefix("GET /") == true)
        }
    }

    @Test func `a wrong method gives a 405 that names the allowed methods`() async throws {
        try await withServer { base async throws in
            let response = try await Curl.run("-X", "DELETE", base + "/orders")
            #expect(response.status == 405)
            #expect(response.header("Allow") == "GET")
        }
    }

    @Test func `a response to HEAD has the length of the body but no body`() async throws {
        try await withServer { base async throws in
            let get = try await Curl.run(base + "/orders")
            let head = try await Curl.run("--head", base + "/orders", base + "/empty")
            #expect(head.headerText.contains("Content-Length: \(get.body.count)\r\n"))
            #expect(head.connections == 0, "the second request found the connection in order")
        }
    }

    @Test func `a response on a kept connection does not wait for a delayed acknowledgement`() async throws {
        try await withServer { base async throws in
            let others = (0..<9).flatMap { _ in ["--output", "/dev/null", base + "/orders"] }
            let run = try await Curl.run([base + "/orders"] + others)
            #expect(run.connections == 0, "the last request used the connection of the first")
            // With Nagle's algorithm, each response would wait for the client's acknowledgement, which it delays by 40 ms.
            #expect(try await RawSocket.serverHasNoDelay(port: try #require(UInt16(base.split(separator: ":").last ?? ""))) == true)
        }
    }

    @Test func `two servers take different ports and stop independently`() async throws {
        let first = DemoServer()
        let second = DemoServer()
        let firstPort = try await first.start()
        let secondPort = try await second.start()
        #expect(firstPort != secondPort)
        await first.stop()
        // No other test gets the port before the request.
        let closed = try DeadPort(.refusing, port: firstPort)
        #expect(try await Curl.run("http://127.0.0.1:\(secondPort)/empty").status == 200)
        #expect(try await Curl.run("http://127.0.0.1:\(firstPort)/empty").exitCode == 7, "connection refused")
        withExtendedLifetime(closed) {}
        await second.stop()
    }

    @Test func `a port in use gives an error with a message`() async throws {
        try await withServer { base async throws in
            let port = UInt16(base.split(separator: ":").last ?? "") ?? 0
            await #expect(throws: DemoServer.StartError.self) { try await DemoServer(port: port).start() }
        }
    }

    @Test func `a server can be started again after a stop`() async throws {
        let server = DemoServer()
        _ = try await server.start()
        await server.stop()
        let port = try await server.start()
        #expect(try await Curl.run("http://127.0.0.1:\(port)/empty").status == 200)
        await server.stop()
    }

    @Test func `slow responses do not block others, and a stop ends them`() async throws {
        let server = DemoServer()
        let base = "http://127.0.0.1:\(try await server.start())"
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for path in [
                "/delay/600", "/delay/600", "/delay/600", "/drip?seconds=600", "/files/big.bin?rate=1000", "/sse?count=1000",
            ] {
                // On a busy machine the other requests can take longer than the default limit of curl.
                group.addTask { try await Curl.run("--max-time", "600", base + path).exitCode }
            }
            var waiting = 0
            while waiting < 6 {  // All of them have arrived.
                waiting = Int(try await Curl.run(base + "/log").json("count") ?? "") ?? 0
            }
            #expect(try await Curl.run(base + "/orders/1").status == 200)
            await server.stop()
            for try await code in group {
                #expect(code != 0 && code != 28, "cut by the server, not ended by the deadline of curl")
            }
        }
    }

    @Test(arguments: [
        "GET /\r\n\r\n", "\u{0}\u{1}\r\n\r\n", "POST /echo HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "GET /drip?seconds=1e-300 HTTP/1.0\r\n\r\n",
        "GET /files/big.bin?size=1e400GB HTTP/1.0\r\n\r\n", "GET /delay/nan HTTP/1.0\r\n\r\n",
        "GET /files/big.bin?size=9 HTTP/1.0\r\nRange: bytes=99999999999999999999-\r\n\r\n",
        "GET /digest HTTP/1.0\r\nAuthorization: Digest \",,,=\\\r\n\r\n",
    ])
    func `malformed input does not end the server`(bytes: String) async throws {
        try await withServer { base async throws in
            _ = await RawSocket.exchange(bytes, port: UInt16(base.split(separator: ":").last ?? "") ?? 0)
            #expect(try await Curl.run(base + "/empty").status == 200)
        }
    }

    @Test func `an unread body does not disturb the connection`() async throws {
        try await withServer { base async throws in
            let input = [UInt8](repeating: 65, count: 300_000)
            let response = try await Curl.run("--data-binary", "@input", base + "/orders", base + "/orders/1", input: .init(input))
            #expect(response.headerText.components(separatedBy: "405 Method Not Allowed").count == 3)
            #expect(response.connections == 0, "the second request went over the connection of the first")
        }
    }
}
