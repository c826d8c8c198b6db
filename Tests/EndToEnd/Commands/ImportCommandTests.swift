import Foundation
import Support
import Testing

/// Tests `sortie import` with the program.
struct ImportCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    private func text(_ file: String) throws -> String { String(decoding: try sortie.read(file), as: UTF8.self) }

    @Test func `a curl command becomes a workspace that passes check and sends the same request`() async throws {
        let server = try ScriptedServer { .ok("got \($0.method) \($0.target) \($0.bodyText)") }
        try sortie.write("command.sh", "curl '\(server.url)/orders?page=1' -H 'X-A: b' --json '{\"a\": 1}'\n")
        let run = try await sortie.run("import", "command.sh", "-o", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("imported: POST /orders → 127-0-0-1-\(server.port)/post-orders"))
        #expect(try await sortie.run("check", "ws").status == .exited(0))
        let sent = try await sortie.run("send", "127-0-0-1-\(server.port)/post-orders", "-w", "ws")
        #expect(sent.output == "got POST /orders?page=1 {\"a\": 1}", "\(sent)")
        #expect(server.requests.first?["X-A"] == "b")
    }

    @Test func `examples of a description come back in exports, large ones from their files, and Checks compares with them`() async throws {
        let server = try ScriptedServer(answering: .ok("{\"id\": \"seven\"}", headers: [("Content-Type", "application/json")]))
        let large = String(repeating: "x", count: 5000)
        try sortie.write(
            "api.yaml",
            """
            openapi: 3.1.0
            info: {title: Shop, version: "1"}
            servers: [{url: "\(server.url)"}]
            paths:
              /orders:
                get:
                  operationId: list
                  parameters: [{name: size, in: query, examples: {small: {value: 1}}}]
                  responses:
                    "200": {description: ok, content: {application/json: {examples: {small: {value: {id: 7}}, large: {value: {text: \(large)}}}}}}
            """)
        #expect(try await sortie.run("import", "api.yaml", "-o", "ws").status == .exited(0))
        #expect(try await sortie.run("check", "ws").status == .exited(0))
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(sortie.work)/ws").sorted()
        #expect(files.contains("shop/list.example-2.json"), "\(files)")
        let description = try await sortie.run("export", "shop/list", "--as", "openapi", "-w", "ws").output
        #expect(description.contains(large) && description.contains("\"small\""), "\(description)")
        let collection = try await sortie.run("export", "shop/list", "--as", "postman", "-w", "ws").output
        #expect(collection.contains(large) && collection.contains("orders?size=1"), "\(collection)")
        let sent = try await sortie.run("send", "shop/list", "-q", "size=1", "-w", "ws", "--json")
        #expect(sent.output.contains("example: small: body $.id"), "\(sent)")
    }

    @Test func `a source without requests is an error that names what was omitted, and nothing is written`() async throws {
        let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        try sortie.write("empty.json", #"{"info": {"name": "Empty", "schema": "\#(schema)"}, "item": []}"#)
        let run = try await sortie.run("import", "empty.json", "-o", "ws")
        #expect(run.status == .exited(3) && run.errorOutput.contains("empty.json has no requests; nothing was written"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }

    @Test func `a source above the limit is refused with its size before it is read, and nothing is written`() async throws {
        try sortie.write("huge.json", "{\"openapi\": \"3.0.0\"")
        // The file has no blocks on disk beyond its beginning.
        try FileHandle(forWritingTo: URL(fileURLWithPath: "\(sortie.work)/huge.json")).truncate(atOffset: (64 << 20) + 1)
        let run = try await sortie.run("import", "huge.json", "-o", "ws")
        #expect(run.status == .exited(3) && run.errorOutput.contains("huge.json: the file has more than 64 MiB; split it"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }

    @Test func `a command comes from standard input, and without -o goes to the workspace here`() async throws {
        try sortie.write("workspace.yaml", "name: Mine\nenvironments: {dev: {}}\n")
        let run = try await sortie.shell("echo 'curl https://api.example/x' | $SORTIE import -")
        #expect(run.status == .exited(0), "\(run)")
        #expect(try text("workspace.yaml") == "name: Mine\nenvironments: {dev: {}}\n")
        #expect(try await sortie.run("list").output.contains("api-example/get-x"))
        // What a shell makes of <(…) is a path of this form.
        let pipe = try await sortie.shell("echo 'curl https://api.example/y' | { exec 3<&0 </dev/null; $SORTIE import /dev/fd/3; }")
        #expect(pipe.status == .exited(0), "\(pipe)")
        #expect(try await sortie.run("list").output.contains("api-example/get-y"))
    }

    @Test func `a token is not written anywhere; the workspace starts untrusted`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        try sortie.write("c.sh", "curl \(server.url)/a -H 'Authorization: Bearer canary-7411' -u me:canary-7412")
        let run = try await sortie.run("import", "c.sh", "-o", "ws", "--report", "report.txt")
        #expect(run.status == .exited(0), "\(run)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(sortie.work)/ws")
        for file in files where file.hasSuffix("l") || file.hasSuffix("n") { #expect(try !text("ws/\(file)").contains("canary"), "\(file)") }
        #expect(try !run.output.contains("canary") && !text("report.txt").contains("canary"))
        let target = "127-0-0-1-\(server.port)/get-a"
        let variable = "API_127_0_0_1_\(server.port)_TOKEN"
        #expect(run.output.contains(variable), "\(run)")
        let refused = try await sortie.run(["send", target, "-w", "ws"], environment: [variable: "t"])
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("sortie trust"), "\(refused)")
        let sent = try await sortie.run(
            ["send", target, "-w", "ws", "--trust"], environment: [variable: "t", variable.replacing("TOKEN", with: "PASSWORD"): "p"])
        #expect(sent.output == "in", "\(sent)")
        #expect(server.requests.last?["Authorization"] == "Bearer t")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node"), "node runs the script"))
    func `a script that is not translated is a hook where that is asked for`() async throws {
        let server = try ScriptedServer(answering: .ok(#"{"a": 1}"#))
        let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        let script = "pm.test('even', () => { pm.expect(pm.response.json().a % 2).to.eql(0); });"
        try sortie.write(
            "c.json",
            #"{"info": {"name": "S", "schema": "\#(schema)"}, "item": [{"name": "r", "request": "\#(server.url)/r", "event": "#
                + #"[{"listen": "test", "script": {"exec": ["\#(script)"]}}]}]}"#)
        #expect(try await sortie.run("import", "c.json", "-o", "ws", "--scripts", "hooks").status == .exited(0))
        let sent = try await sortie.run("send", "s/r", "-w", "ws", "--trust")
        #expect(sent.status == .exited(1) && sent.errorOutput.contains("even"), "\(sent)")
        #expect(try await sortie.run("import", "c.json", "-o", "ws", "--scripts", "x").status == .exited(2))
    }

    @Test func `--keep-secrets writes what was asked for`() async throws {
        try sortie.write("c.sh", "curl http://h/a -u me:pw")
        #expect(try await sortie.run("import", "c.sh", "-o", "ws", "--keep-secrets").status == .exited(0))
        #expect(try text("ws/h/get-a.yaml").contains("password: pw"))
    }

    @Test func `the same command again changes nothing, another one is added, and a changed file is kept`() async throws {
        try sortie.write("c.sh", "curl http://h/a")
        #expect(try await sortie.run("import", "c.sh", "-o", "ws").status == .exited(0))
        let first = try text("ws/h/get-a.yaml")
        #expect(try await sortie.run("import", "c.sh", "-o", "ws").status == .exited(0))
        #expect(try text("ws/h/get-a.yaml") == first)
        try sortie.write("d.sh", "curl http://h/a -H 'X: y'")
        #expect(try await sortie.run("import", "d.sh", "-o", "ws").output.contains("h/get-a-2"))
        try sortie.write("ws/h/get-a.yaml", first + "# mine\n")
        let kept = try await sortie.run("import", "c.sh", "-o", "ws")
        #expect(kept.output.contains("unchanged: GET /a → h/get-a"), "\(kept)")
        #expect(try text("ws/h/get-a.yaml").hasSuffix("# mine\n"))
        #expect(try await sortie.run("import", "c.sh", "-o", "ws", "--force").status == .exited(0))
        #expect(try text("ws/h/get-a.yaml") == first)
    }

    @Test func `malformed input is an error with its place, and nothing is written`() async throws {
        try sortie.write("c.sh", "curl http://h/a\ncurl http://h/b --header 'X: y")
        let run = try await sortie.run("import", "c.sh", "-o", "ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("c.sh:2:26: this quote"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }

    @Test func `unknown formats, contents and files are errors with a remedy`() async throws {
        try sortie.write("x.txt", "hello")
        let unknown = try await sortie.run("import", "x.txt")
        #expect(unknown.status == .exited(3) && unknown.errorOutput.contains("curl (curl command lines)"), "\(unknown)")
        let format = try await sortie.run("import", "x.txt", "--format", "crul")
        #expect(format.status == .exited(2) && format.errorOutput.contains("did you mean curl?"), "\(format)")
        #expect(try await sortie.run("import", "missing.txt").status == .exited(3))
        let url = try await sortie.run("import", "https://shop.example/openapi.json")
        #expect(url.failed(2, "usage") && url.hint.contains("sortie send URL | sortie import -"), "\(url)")
    }

    @Test func `--dry-run and --json print the report and write nothing`() async throws {
        try sortie.write("c.sh", "curl -s --proxy-ntlm http://h/a")
        let run = try await sortie.run("import", "c.sh", "-o", "ws", "--dry-run", "--json")
        #expect(run.status == .exited(0), "\(run)")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        let report = try #require(record["report"] as? [[String: Any]])
        #expect(report.map { $0["outcome"] as? String } == ["imported", "omitted", "omitted"])
        #expect(report[0]["target"] as? String == "h/get-a" && report[0]["line"] as? Int == 1)
        #expect((record["files"] as? [[String: Any]])?.contains { $0["file"] as? String == "h/get-a.yaml" } == true)
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }

    @Test func `a protected location needs --force`() async throws {
        try sortie.write("c.sh", "curl http://h/a")
        let folder = sortie.home.path(".config/ws")
        let refused = try await sortie.run("import", "c.sh", "-o", folder)
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("--force"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try await sortie.run("import", "c.sh", "-o", folder, "--force").status == .exited(0))
    }
}
