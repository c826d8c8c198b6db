import Foundation
import SortieNetworking
import Support
import Synchronization
import Testing

/// Tests the example in the documentation article on the library, which is a file of these tests (S4.1, S1.19, S2.2, S3.5, S3.17).
@Suite struct LibraryExampleTests {
    private let sentences = Watched<[String]>([])

    private func orders(from shop: String) async throws -> [ListOrders.Order] {
        try await withDeadline(.seconds(300), "the example to end") { [sentences] in
            await SortieNetworkingTests.orders(of: "demo", from: shop) { sentence in sentences.change { $0.append(sentence) } }
        }
    }

    @Test func `the guide contains this example`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(contentsOf: folder.appendingPathComponent("LibraryExample.swift"), encoding: .utf8)
        let article = folder.appendingPathComponent("../../Sources/sortie/Documentation.docc/Library.md").standardizedFileURL
        #expect(try String(contentsOf: article, encoding: .utf8).contains("```swift\n\(example)```"))
    }

    @Test func `the example logs in, sends the token and returns typed orders`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/login" ? .ok(#"{"token": "t1"}"#) : .ok(#"[{"id": 7}, {"id": 8}]"#)
        }
        #expect(try await orders(from: server.url).map(\.id) == [7, 8])
        #expect(server.requests.map(\.target) == ["/login", "/orders?page=1"])
        #expect(server.requests.last?["Authorization"] == "Bearer t1")
        #expect(server.requests.map { $0["X-Attempt"] } == ["1", "1"])
        #expect(sentences.current.isEmpty)
    }

    @Test func `a missing server is a transport failure`() async throws {
        let dead = try DeadPort(.refusing)
        #expect(try await orders(from: dead.url).isEmpty)
        #expect(sentences.current.first?.hasPrefix("no answer: ") == true)
    }

    @Test func `an error status is an HTTP failure`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 401, reason: "Unauthorized"))
        #expect(try await orders(from: server.url).isEmpty)
        #expect(sentences.current == ["refused: the server responded with 401 Unauthorized"])
    }

    @Test func `a response of another shape is a business failure`() async throws {
        let server = try ScriptedServer(answering: .ok("[]"))
        #expect(try await orders(from: server.url).isEmpty)
        #expect(sentences.current.first?.hasPrefix("not what was expected: ") == true)
    }
}
