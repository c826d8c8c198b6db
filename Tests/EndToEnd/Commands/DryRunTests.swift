import Foundation
import Support
import Testing

/// `--dry-run` shows the request and sends nothing.
@Suite(.serialized)
struct DryRunTests {
    @Test func `the request stands on stdout as it would be sent`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run(
            "send", "\(server.url)/x?a=1", "--dry-run", "-q", "b=ü", "-H", "X-A: 1", "--json-body", #"{"c": 1}"#)
        #expect(run.status == .exited(0), "\(run)")
        #expect(
            run.output == """
                POST \(server.url)/x?a=1&b=%C3%BC
                X-A: 1
                Content-Type: application/json

                {"c": 1}

                """)
        #expect(run.errorOutput.isEmpty)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a request without a body is its head alone`() async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/x", "--dry-run", "-H", "X-A: 1")
        #expect(run.output == "GET http://127.0.0.1:9/x\nX-A: 1\n")
    }

    @Test func `with --json it is a record`() async throws {
        let run = try await Sortie().run(
            "send", "http://shop.invalid/x", "--dry-run", "--json", "-d", "a=1", "--resolve", "shop.invalid:127.0.0.1")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect(record["method"] as? String == "POST")
        #expect(record["url"] as? String == "http://shop.invalid/x")
        #expect(record["body"] as? String == "a=1")
        #expect(record["addresses"] as? [String] == ["127.0.0.1"])
    }

    @Test func `templates of an endpoint are resolved`() async throws {
        let run = try await Sortie().run(
            "send", "shop/orders/detail", "-w", Sortie.demoWorkspace, "--dry-run", "--var", "orderId=42", "--var", "host=h:1")
        #expect(run.output.hasPrefix("GET http://h:1/orders/42\n"), "\(run)")
    }
}
