import Support
import Testing

/// Tests `sortie mock` with the real program.
@Suite(.serialized)
struct MockCommandTests {
    private func workspace(_ server: String) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server)/v1\"]}\n")
        try sortie.write("api/one.yaml", "path: /orders/{{id}}\nexpect: {status: 201, json: {$.code: 7}}\n")
        return sortie
    }

    private func start(
        _ sortie: Sortie, _ arguments: String..., fail: String = "0%"
    ) async throws -> (terminal: PseudoTerminal, url: String) {
        let terminal = try await sortie.open(["mock"] + arguments + ["--port", "0", "--fail", fail, "--fault", "status:500"])
        try await terminal.waitUntil("the line with the address", within: Sortie.patience) {
            $0.row(0).hasPrefix("listening on http://127.0.0.1:") && $0.cursor.row > 0
        }
        return (terminal, String(terminal.row(0).dropFirst("listening on ".count)))
    }

    @Test func `an endpoint that was never sent has the expected response, and Ctrl-C ends with 0`() async throws {
        let sortie = try workspace("http://127.0.0.1:9")
        let (terminal, url) = try await start(sortie)
        let run = try await Sortie().run("send", url + "/v1/orders/5", "-i")
        #expect(run.output.hasPrefix("HTTP/1.1 201 ") && run.output.contains("{\"code\": 7}"), "\(run)")
        let missing = try await Sortie().run("send", url + "/v1/order/5", "-i")
        #expect(missing.output.hasPrefix("HTTP/1.1 404 ") && missing.output.contains("/v1/orders/*"), "\(missing)")
        try await terminal.waitForText("GET /v1/orders/5 201 api/one expect", within: Sortie.patience)
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `another address of the machine does not reach the server, nor that of the demo`() async throws {
        let (terminal, url) = try await start(try workspace("http://127.0.0.1:9"))
        let demo = try await DemoProcess.shared
        for url in [url, demo.url, "http://127.0.0.1:\(demo.grpcPort)"] {
            #expect(try await Sortie().run("send", url.replacing("127.0.0.1", with: "127.0.0.2")).failed(4, "connectionRefused"))
        }
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `the newest recorded response is served after its server has ended, and --fail replaces it`() async throws {
        let sortie: Sortie
        do {
            let server = try ScriptedServer(answering: .ok("recorded"))
            sortie = try workspace(server.url)
            _ = try await sortie.run("send", "api/one", "--var", "id=1")
        }
        let (terminal, url) = try await start(sortie)
        let run = try await Sortie().run("send", url + "/v1/orders/5", "-i")
        #expect(run.output.hasPrefix("HTTP/1.1 200 ") && run.output.contains("recorded"), "\(run)")
        terminal.press(.control("c"))
        let (failing, other) = try await start(sortie, fail: "100%")
        #expect(try await Sortie().run("send", other + "/v1/orders/5", "--format", "{status}").output.hasPrefix("500"))
        failing.press(.control("c"))
        #expect(try await failing.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `a recorded response is not served for another path of the same file`() async throws {
        let sortie: Sortie
        do {
            let server = try ScriptedServer(answering: .ok("recorded"))
            sortie = try workspace(server.url)
            _ = try await sortie.run("send", "api/one", "--var", "id=1")
        }
        try sortie.write("api/one.yaml", "path: /bills\nmethod: DELETE\nexpect: {status: 204}\n")
        let (terminal, url) = try await start(sortie)
        #expect(try await Sortie().run("send", url + "/v1/bills", "-X", "DELETE", "--format", "{status}").output.hasPrefix("204"))
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `pages of this machine may read responses, those of others and other names of the server may not`() async throws {
        let (terminal, url) = try await start(try workspace("http://127.0.0.1:9"))
        for (origin, isPermitted) in [("http://localhost:5173", true), ("http://127.0.0.1.evil.example", false), ("null", false)] {
            let run = try await Sortie().run("send", url + "/v1/orders/5", "-i", "-H", "Origin: \(origin)")
            #expect(run.output.contains("Access-Control-Allow-Origin: \(origin)") == isPermitted && run.output.contains("201"), "\(run)")
        }
        let preflight = ["-X", "OPTIONS", "-H", "Origin: http://localhost:5173", "-H", "Access-Control-Request-Method: GET"]
        let permitted = try await Sortie().run(["send", url + "/v1/orders/5", "-i"] + preflight)
        #expect(permitted.output.hasPrefix("HTTP/1.1 204 ") && permitted.output.contains("Access-Control-Allow-Methods: GET"), "\(permitted)")
        let rebound = try await Sortie().run("send", url + "/v1/orders/5", "-i", "-H", "Host: evil.example")
        #expect(rebound.output.hasPrefix("HTTP/1.1 421 "), "\(rebound)")
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `a description in OpenAPI is served below the path of its server, without a workspace`() async throws {
        let sortie = try Sortie()
        try sortie.write(
            "shop.yaml",
            """
            openapi: 3.1.0
            info: {title: Shop, version: "1"}
            servers: [{url: "https://api.example.com/v1"}]
            paths:
              /orders/{id}:
                get:
                  operationId: getOrder
                  parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                  responses:
                    "200": {description: ok, headers: {X-Rate: {example: 5}}, content: {application/json: {example: {id: 7}}}}
                    "404": {description: none, content: {application/problem+json: {example: {title: missing}}}}
            """)
        let (terminal, url) = try await start(sortie, "shop.yaml")
        let run = try await Sortie().run("send", url + "/v1/orders/5", "-i")
        #expect(run.output.hasPrefix("HTTP/1.1 200 ") && run.output.contains("\"id\": 7") && run.output.contains("X-Rate: 5"), "\(run)")
        let missing = try await Sortie().run("send", url + "/v1/orders/5", "-i", "-H", "Prefer: code=404")
        #expect(missing.output.hasPrefix("HTTP/1.1 404 ") && missing.output.contains("application/problem+json"), "\(missing)")
        try await terminal.waitForText("GET /v1/orders/5 200 getOrder example 200", within: Sortie.patience)
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `examples are served in sequence, a changed file is read again, and --verify names the calls that did not come`() async throws {
        let sortie = try workspace("http://127.0.0.1:9")
        func write(_ body: String) throws {
            try sortie.write("api/large.txt", body)
            try sortie.write(
                "api/two.yaml",
                """
                path: /two
                examples:
                  busy: {response: {status: 503}, times: 1}
                  \(body): {response: {status: 200, body: {file: large.txt}}}
                """)
        }
        try write("first")
        let (terminal, url) = try await start(sortie, "--verify")
        let busy = try await Sortie().run("send", url + "/v1/two", "--format", "{status}")
        let first = try await Sortie().run("send", url + "/v1/two")
        #expect(busy.output.hasPrefix("503") && first.output.contains("first"), "\(busy) \(first)")
        try write("second")
        let deadline = ContinuousClock.now + Sortie.patience
        while !terminal.screen.contains("api/two example second"), ContinuousClock.now < deadline {
            _ = try await Sortie().run("send", url + "/v1/two")
        }
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(1))
        #expect(terminal.screen.contains("came api/two busy 1 of 1") && terminal.screen.contains("missing api/one 0 of 1"), "\(terminal.screen)")
    }

    @Test func `a file without requests, and an environment that it does not have, are errors`() async throws {
        let sortie = try Sortie()
        try sortie.write("empty.yaml", "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {}\n")
        let empty = try await sortie.run("mock", "empty.yaml")
        #expect(empty.status == .exited(3) && empty.errorOutput.contains("empty.yaml has no requests"), "\(empty)")
        try sortie.write("one.yaml", "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {/x: {get: {responses: {}}}}\n")
        let environment = try await sortie.run("mock", "one.yaml", "-e", "nowhere")
        #expect(environment.status == .exited(2) && environment.errorOutput.contains("one.yaml has no environment nowhere"), "\(environment)")
        let option = try await sortie.run("mock", "-w", "two.yaml")
        #expect(option.failed(3, "workspace") && option.errorOutput.contains("there is no folder and no file two.yaml"), "\(option)")
        let missing = try await sortie.run("mock", "two.yaml")
        #expect(missing.failed(3, "workspace") && missing.errorOutput.contains("there is no folder and no file two.yaml"), "\(missing)")
    }

    @Test func `a port that is in use is named with the reason and the remedy`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let port = try #require(server.url.split(separator: ":").last.map(String.init))
        let run = try await workspace(server.url).run("mock", "--port", port)
        #expect(run.errorOutput.hasPrefix("sortie: cannotListen: cannot listen on 127.0.0.1:\(port): address already in use\n"), "\(run)")
        #expect(run.hint == "choose another port with --port N", "\(run)")
    }

    @Test(arguments: [["--fail", "200%"], ["--fault", "x"], ["--fault", "reset"], ["--delay", "soon"]]) func `an invalid option is a usage error`(
        arguments: [String]
    ) async throws {
        let run = try await workspace("http://127.0.0.1:9").run(["mock"] + arguments)
        #expect(run.status == .exited(2) && run.errorOutput.contains(arguments[0]), "\(run)")
    }
}
