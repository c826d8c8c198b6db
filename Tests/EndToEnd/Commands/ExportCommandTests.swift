import Foundation
import Support
import Testing

/// Tests `sortie export --as curl` with the program.
struct ExportCommandTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { .json("{\"token\": \"T\", \"path\": \"\($0.target)\"}") }
        try sortie.write(
            "workspace.yaml", "name: W\nenvironments: {dev: {variables: {host: \"\(server.authority)\"}}}\nsecrets: {key: {env: CANARY_KEY}}\n")
        try sortie.write("shop/service.yaml", "name: Shop\nservers: {dev: [\"http://{{host}}\"]}\nheaders: {X-Api-Key: \"{{key}}\"}\n")
        try sortie.write("shop/login.yaml", "method: POST\npath: /login\nbody: {json: {user: \"it's\"}}\ncapture: {token: $.token}\n")
        try sortie.write("shop/orders.yaml", "path: /orders\nquery: {q: \"a b\"}\nauth: {bearer: \"{{login.token}}\"}\n")
        try sortie.write("runs/flow.yaml", "chain:\n  - send: shop/login\n  - send: shop/orders\n")
    }

    @Test func `an exported endpoint, run by a shell, sends the same request, and its secret is a variable`() async throws {
        let run = try await sortie.run(["export", "shop/login", "--as", "curl"], environment: ["CANARY_KEY": "canary-1"])
        #expect(run.status == .exited(0) && !run.output.contains("canary-1"), "\(run)")
        #expect(run.output.hasPrefix("# Set before: CANARY_KEY\n"))
        let shell = try await ProcessRun.run("/bin/sh", ["-c", run.output], environment: ["CANARY_KEY": "k", "no_proxy": "*"])
        #expect(shell.succeeded, "\(shell)")
        let received = try #require(server.requests.last)
        #expect(received.method == "POST" && received.target == "/login" && received.bodyText.filter { !$0.isWhitespace } == "{\"user\":\"it's\"}")
        #expect(received["X-Api-Key"] == "k" && received["Content-Type"] == "application/json")
    }

    @Test func `a service and a run are exported with a comment for each request`() async throws {
        let run = try await sortie.run("export", "flow", "--as", "curl")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("# login\ncurl ") && run.output.contains("\"$LOGIN_TOKEN\""), "\(run)")
        try sortie.write("shop/orders.yaml", "path: /orders\n")
        let service = try await sortie.run("export", "shop", "--as", "curl")
        #expect(service.output.contains("# shop/login\n") && service.output.contains("# shop/orders\n"), "\(service)")
    }

    @Test func `an exchange of the history is exported with variables for what was masked`() async throws {
        try sortie.write("shop/orders.yaml", "path: /orders\n")
        let sent = try await sortie.run(["send", "shop/orders"], environment: ["CANARY_KEY": "canary-2"])
        #expect(sent.status == .exited(0), "\(sent)")
        let run = try await sortie.run("export", "history:last", "--as", "curl")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("\(server.url)/orders") && run.output.contains("\"$X_API_KEY\"") && !run.output.contains("canary"), "\(run)")
    }

    @Test func `-o writes a file, and unknown names get a suggestion`() async throws {
        #expect(try await sortie.run("export", "shop/login", "--as", "curl", "-o", "out.sh").status == .exited(0))
        #expect(String(decoding: try sortie.read("out.sh"), as: UTF8.self).contains("curl "))
        let target = try await sortie.run("export", "shop/logn", "--as", "curl")
        #expect(target.status == .exited(2) && target.errorOutput.contains("did you mean shop/login?"), "\(target)")
        let format = try await sortie.run("export", "shop/login", "--as", "curll")
        #expect(format.status == .exited(2) && format.errorOutput.contains("did you mean curl?"), "\(format)")
    }
}
