import Foundation
import SortieDemoServer
import Support
import Testing

/// Tests the demo's gRPC server with curl; the messages are tested with the program, in another target.
@Suite struct DemoGRPCServerTests {
    /// Runs a test with a new server on a free port and stops the server afterwards.
    private func withServer(_ test: (UInt16) async throws -> Void) async throws {
        let server = DemoGRPCServer()
        let port = try await server.start()
        do { try await test(port) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func call(_ port: UInt16, _ method: String, _ body: [UInt8], _ more: String...) async throws -> Curl {
        try await Curl.run(
            ["--http2-prior-knowledge", "--data-binary", "@input", "-H", "Content-Type: application/grpc", "-H", "TE: trailers", "-H", "Expect:"]
                + more + ["http://127.0.0.1:\(port)/\(method)"], input: Data(body))
    }

    private static let get = "shop.Orders/Get"

    private func frame(_ message: [UInt8]) -> [UInt8] { [0, 0, 0, 0, UInt8(message.count)] + message }

    private func status(_ curl: Curl) -> String? {
        let line = curl.headerText.components(separatedBy: "\r\n").first { $0.hasPrefix("grpc-status: ") }
        return line.map { String($0.dropFirst("grpc-status: ".count)) }
    }

    @Test func `a message is returned with the status OK in the trailer`() async throws {
        try await withServer { port async throws in
            let run = try await call(port, Self.get, frame([0x08, 7]))
            #expect(run.status == 200 && run.header("content-type") == nil, "the last block is the trailer")
            #expect(status(run) == "0" && run.body.starts(with: [0, 0, 0, 0]) && run.body.count > 40)
        }
    }

    @Test(
        arguments: [
            ("shop.Orders/Get", [0, 0, 0, 0, 2, 0x08, 99], "5"), ("shop.Orders/Get", [0, 0, 0, 0, 0], "5"), ("shop.Orders/Get", [], "3"),
            ("shop.Orders/Get", [0, 0, 0, 0, 9, 1], "3"), ("shop.Orders/Get", [1, 0, 0, 0, 0], "3"), ("shop.Orders/Get", [0, 0xff, 0, 0, 0], "3"),
            ("shop.Orders/Get", [0, 0, 0, 0, 1, 0x0f], "3"), ("shop.Orders/Get", [0, 0, 0, 0, 2, 0x0a, 0xff], "3"), ("shop.Orders/Other", [], "12"),
            ("%00/../x", [], "12"), ("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", [0, 0, 0, 0, 0], "12"),
            ("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", [0, 0, 0, 0, 1, 0x22], "3"),
        ] as [(String, [UInt8], String)])
    func `an invalid call has a status other than OK`(method: String, body: [UInt8], expected: String) async throws {
        try await withServer { port async throws in
            let run = try await call(port, method, body)
            #expect(run.status == 200 && status(run) == expected, "\(run.headerText)")
        }
    }

    @Test func `a request above a limit is refused, and the next one is not`() async throws {
        try await withServer { port async throws in
            let large = try await call(port, Self.get, [UInt8](repeating: 0, count: 4 << 20 + 1))
            #expect(status(large) == "8", "\(large.headerText)")
            let many = try await call(port, "shop.Orders/Sum", [UInt8](repeating: 0, count: 505))
            #expect(status(many) == "8", "\(many.headerText)")
            let header = try await call(port, Self.get, frame([0x08, 7]), "-H", "X: " + String(repeating: "x", count: 20_000))
            #expect(header.exitCode != 0 && header.status == 0, "the stream is reset")
            #expect(status(try await call(port, Self.get, frame([0x08, 7]))) == "0")
        }
    }

    @Test func `a compressed request and one that is not gRPC are refused`() async throws {
        try await withServer { port async throws in
            #expect(status(try await call(port, Self.get, frame([0x08, 7]), "-H", "grpc-encoding: gzip")) == "12")
            #expect(try await Curl.run("--http2-prior-knowledge", "http://127.0.0.1:\(port)/").status == 415)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "\u{0}\u{1}\u{2}", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + String(repeating: "\u{7f}", count: 3000),
        // A SETTINGS frame, and a HEADERS frame of 16 MiB and one whose block is no HPACK.
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0\u{7f}\u{7f}\u{7f}\u{1}\u{5}\0\0\0\u{1}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0\0\0\u{3}\u{1}\u{5}\0\0\0\u{1}\u{7f}\u{7f}\u{7f}",
    ])
    func `a client that sends invalid bytes is disconnected, and others are served`(bytes: String) async throws {
        try await withServer { port async throws in
            // Longer than the test may take: the end of the connection ends the exchange.
            let response = await RawSocket.exchange(bytes, port: port, patience: 300)
            #expect(!response.hasPrefix("HTTP/"))
            #expect(status(try await call(port, Self.get, frame([0x08, 7]))) == "0")
        }
    }

    @Test func `a waiting stream does not hold up other calls, a stop ends it, and the server can be started again`() async throws {
        let server = DemoGRPCServer(interval: .seconds(600))
        let port = try await server.start()
        async let stream = call(port, "shop.Orders/Watch", frame([0x08, 7]))
        #expect(status(try await call(port, Self.get, frame([0x08, 7]))) == "0")
        await server.stop()
        let ended = try await stream
        #expect(ended.exitCode != 0 && ended.exitCode != 28 && status(ended) == nil, "cut by the server, not ended by the deadline of curl")
        // No other test gets the port before the call.
        let closed = try DeadPort(.refusing, port: port)
        #expect(try await call(port, Self.get, frame([0x08, 7])).exitCode == 7, "connection refused")
        withExtendedLifetime(closed) {}
        let next = try await server.start()
        #expect(status(try await call(next, Self.get, frame([0x08, 7]))) == "0")
        await server.stop()
    }

    @Test func `a port in use gives an error with a message`() async throws {
        try await withServer { port async throws in
            await #expect(throws: DemoServer.StartError.self) { try await DemoGRPCServer(port: port).start() }
        }
    }
}
