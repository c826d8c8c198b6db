import Foundation
import Support
import Testing

/// Tests endpoints and runs of the demo that show one feature each, with their expectations.
@Suite struct DemoEndpointTests {
    private func run(_ command: String, _ target: String, _ more: String...) async throws -> ProcessRun {
        let demo = try await DemoProcess.shared
        let variables = ["--var", "host=\(demo.authority)", "--var", "grpcPort=\(demo.grpcPort)"]
        return try await Sortie(permitsOwn: false).run([command, target, "-w", try Sortie.demoWorkspace] + variables + more)
    }

    @Test(arguments: ["account/with-jwt", "account/with-api-key", "account/with-api-key-in-query", "account/with-ntlm"])
    func `the demo accepts the credentials of each endpoint, which are not displayed`(target: String) async throws {
        let run = try await run("send", target, "-v")
        #expect(run.succeeded, "\(run)")
        #expect(!run.description.contains("X-API-Key: sortie") && !run.description.contains("api_key=sortie"), "\(run)")
        #expect(!run.description.contains("Bearer eyJ"), "\(run)")
    }

    @Test(arguments: [("orders", 0), ("order", 0), ("feed", 1)])
    func `the endpoints with a contract are as described, except the one that shows a violation`(endpoint: String, status: Int32) async throws {
        let run = try await run("send", "contract/\(endpoint)", "--contract")
        #expect(run.status == .exited(status), "\(run)")
        #expect(run.errorOutput.contains("body $.result.next: expected type: integer or null (api.yaml:54)") == (status == 1), "\(run)")
    }

    @Test func `the next version of the demo's description has breaking changes`() async throws {
        let folder = try Sortie.demoWorkspace + "/descriptions"
        let run = try await Sortie().run("contract", "diff", folder + "/api.yaml", folder + "/next.json")
        #expect(run.status == .exited(1) && run.errorOutput.contains("3 changes, 3 breaking"), "\(run)")
    }

    @Test func `the server of the demo names the reason for which it refuses a token`() async throws {
        let run = try await run("send", "account/with-jwt", "--var", "jwtKey=another")
        #expect(run.status == .exited(1) && run.output.contains("its signature was made with another key"), "\(run)")
    }

    @Test func `the recorded body is that of the response`() async throws {
        let run = try await run("send", "shop/orders/recorded")
        #expect(run.succeeded, "\(run)")
    }

    @Test func `the run with loops skips a step, repeats one for each item and one until it succeeds`() async throws {
        let run = try await run("run", "loops")
        #expect(run.succeeded, "\(run)")
        for text in ["– none", "✓ detail#5", "✓ ready     503", "✓ ready#2   200", "9 of 10 steps done, 1 skipped"] {
            #expect(run.output.contains(text), "\(text): \(run)")
        }
    }

    @Test func `the tunnel of the demo starts this program, also where it is not in PATH`() async throws {
        let port = try DeadPort(.refusing)
        let sortie = try Sortie()
        let demo = try Sortie.demoWorkspace
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {develop: {}}\n")
        for name in ["service", "echo"] {
            let text = try String(contentsOfFile: "\(demo)/tunnel/\(name).yaml", encoding: .utf8)
            try sortie.write("ws/tunnel/\(name).yaml", text.replacing("46102", with: "\(port.port)"))
        }
        let run = try await sortie.shell("program=$SORTIE; unset SORTIE; \"$program\" send tunnel/echo -w ws -v")
        #expect(run.succeeded && run.errorOutput.contains("through the tunnel exec \"$SORTIE\" serve --port \(port.port)\n"), "\(run)")
    }

    @Test(arguments: [
        ("get", #"{"id": 7, "title": "قهوة عربية", "price": 91.49"#), ("sum", #"{"orders": 3, "price": 138.4}"#), ("missing", ""),
        ("watch", #"[\#n{"id": 7, "state": "PACKED", "note": ""},\#n{"id": 7, "state": "SENT""#),
    ])
    func `the demo serves a message and streams by gRPC and describes its types`(endpoint: String, output: String) async throws {
        let run = try await run("send", "warehouse/\(endpoint)", "-v")
        #expect(run.succeeded && run.output.hasPrefix(output), "\(run)")
        #expect(run.errorOutput.contains("the messages are described by the server (reflection, 1 files)"), "\(run)")
    }

    @Test func `an order that the demo does not have is the status NOT_FOUND of gRPC, with the range of the numbers`() async throws {
        let run = try await run("send", "warehouse/get", "--var", "orderId=99", "-v")
        #expect(run.status == .exited(1) && run.errorOutput.contains("NOT_FOUND (5): there is no order 99; there are 1 to 57"), "\(run)")
        #expect(run.errorOutput.contains(#"shop.Range", "first": 1, "last": 57}"#), "\(run)")
    }

    @Test func `without a gRPC server the demo's request is refused with its port`() async throws {
        let port = try DeadPort(.refusing)
        let run = try await run("send", "warehouse/get", "--var", "grpcPort=\(port.port)")
        #expect(run.status == .exited(4) && run.errorOutput.contains("127.0.0.1:\(port.port) refused the connection"), "\(run)")
    }
}
