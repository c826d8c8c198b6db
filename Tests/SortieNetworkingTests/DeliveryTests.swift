import Support
import Testing

@testable import SortieNetworking

/// Tests that a request that may have been processed is never sent twice without notice (`EngineFacts.md`, headline 4).
@Suite(.fewAtOnce)
struct DeliveryTests {
    /// Responds to one request, reads the next one as specified by `then`, and closes; later connections respond.
    private func server(dyingAfter second: [Step]) throws -> ScriptedServer {
        try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.ok("first"))] + second), .answering(.ok("later")),
        ])
    }

    private func warm(_ caller: Caller, _ server: ScriptedServer) async throws {
        #expect(try await caller.get(server.url).text == "first")
        #expect(server.openConnections == 1)
    }

    @Test(arguments: [HTTPMethod.post, .patch, HTTPMethod("FROB")].compactMap { $0 })
    func `a request with a body whose pooled connection dies is not sent again`(_ method: HTTPMethod) async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, method, body: .text("pay 5", contentType: nil)))
        #expect(exchange.error?.code == .ambiguousDelivery)
        #expect(exchange.error?.hint != nil)
        #expect(server.requests.filter { $0.method == method.rawValue }.count == 1)
    }

    @Test func `a POST of a file whose pooled connection dies is not sent again`() async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let path = try caller.folder.write("body", "from a file")
        let exchange = try await caller.exchange(.to(server.url, .post, body: .file(path: path, contentType: nil)))
        #expect(exchange.error?.code == .ambiguousDelivery)
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test func `a POST whose pooled connection is reset is not sent again`() async throws {
        let server = try server(dyingAfter: [.readRequest, .reset])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, .post, body: .text("x", contentType: nil)))
        #expect(exchange.error != nil)
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a POST that cannot be rewound is sent once, on a new connection`(_ kind: Int) async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let empty = try caller.folder.write("empty", "")
        let bodies: [RequestBody] = [
            .none, .bytes([], contentType: nil), .file(path: empty, contentType: nil),
            .multipart([.init(name: "a", content: .bytes([49]))]),
        ]
        let exchange = try await caller.exchange(.to(server.url, .post, body: bodies[kind]))
        #expect(exchange.text == "later")
        #expect(exchange.attempts.last?.isConnectionReused == false)
        let posts = server.requests.filter { $0.method == "POST" }
        #expect(posts.map(\.connection) == [1])
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .options])
    func `an idempotent request is sent again when its pooled connection dies`(_ method: HTTPMethod) async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, method))
        #expect(exchange.response?.status == 200)
        #expect(server.requests.count == 3)
    }

    @Test func `a PUT is sent again with the complete body`() async throws {
        let server = try server(dyingAfter: [.readRequest])
        let caller = try Caller()
        try await warm(caller, server)
        let exchange = try await caller.exchange(.to(server.url, .put, body: .text("whole", contentType: nil)))
        #expect(exchange.text == "later")
        #expect(server.requests.map(\.bodyText) == ["", "whole", "whole"])
    }

    @Test func `a POST on a connection that was closed while idle uses another one`() async throws {
        let server = try server(dyingAfter: [])
        let caller = try Caller()
        #expect(try await caller.get(server.url).text == "first")
        try await server.waitForConnections(open: 0)
        let exchange = try await caller.exchange(.to(server.url, .post, body: .text("once", contentType: nil)))
        #expect(exchange.text == "later")
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test func `a POST on a new connection that dies is not sent again`() async throws {
        let server = try ScriptedServer([[.readRequest], .answering(.ok())])
        let exchange = try await Caller().exchange(.to(server.url, .post, body: .text("x", contentType: nil)))
        #expect(exchange.error?.code == .emptyResponse)
        #expect(server.requests.count == 1)
    }

    @Test func `connections are reused, and the attempt reports it`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        let first = try await caller.get(server.url)
        let second = try await caller.exchange(.to(server.url, .post, body: .text("x", contentType: nil)))
        #expect(first.attempts.map(\.isConnectionReused) == [false])
        #expect(second.attempts.map(\.isConnectionReused) == [true])
        #expect(server.acceptedConnections == 1)
    }
}
