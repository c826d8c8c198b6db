import Foundation
import Support
import Testing

/// Tests pasted curl commands, imports and exports of the workbench with the program.
@Suite(.serialized)
struct InterchangeRobotTests {
    private static let sizes = [Bench.Size.small, Bench.Size(40, 10)]

    private func open(_ size: Bench.Size, _ server: ScriptedServer) async throws -> Bench {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\nenvironments: {dev: {}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("ws/api/login.yaml", "name: Log in\npath: /login\n")
        try sortie.write("commands.sh", "curl '\(server.url)/stock' -H 'X-Kind: tea' --retry 2 --trace-time\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (size.columns, size.rows)), sortie: sortie)
        try await bench.see("Log in")
        return bench
    }

    @Test(arguments: sizes) func `a pasted command is sent, saved and passes check`(size: Bench.Size) async throws {
        let server = try ScriptedServer { .ok("got \($0.method) \($0.target) \($0.bodyText)") }
        let bench = try await open(size, server)
        bench.terminal.paste("curl -X PUT '\(server.url)/items?q=tea' \\\n  -H 'X-Kind: green' -d 'a=1'")
        try await bench.see("New from curl")
        bench.press(.control("r"))
        try await bench.see("200 OK")
        let request = try #require(server.requests.last)
        #expect(request.method == "PUT" && request.target == "/items?q=tea" && request.bodyText == "a=1" && request["X-Kind"] == "green")
        bench.press(.control("s"))
        try await bench.see("Saved to")
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(bench.sortie.work)/ws/api").filter { $0.hasPrefix("put") }
        #expect(files.count == 1, "\(files)")
        let run = try await bench.sortie.run("check", "ws")
        #expect(run.status == .exited(0), "\(run)")
    }

    @Test(arguments: sizes) func `a file is imported from the palette after a preview, and undone`(size: Bench.Size) async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let bench = try await open(size, server)
        bench.press(.control("p"))
        bench.terminal.type("Import…")
        try await bench.see("Import…")
        bench.press(.enter)
        try await bench.see("commands.sh")
        bench.terminal.type("commands")
        bench.press(.enter)
        try await bench.see("Import", "Items of the source")
        bench.press(.enter)
        try await bench.see("Imported commands.sh")
        let folder = "\(bench.sortie.work)/ws"
        func imported() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") && $0.contains("stock") }
        }
        #expect(try imported().count == 1)
        let run = try await bench.sortie.run("check", "ws")
        #expect(run.status == .exited(0), "\(run)")
        bench.terminal.type("1u")
        try await bench.see("Undone")
        #expect(try imported().isEmpty)
    }

    @Test func `y copies and writes an endpoint as curl`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let bench = try await open(.small, server)
        bench.choose("Log in")
        bench.terminal.type("y")
        try await bench.see("Copy the target", "Copy as curl command lines")
        bench.terminal.type("write curl")
        bench.press(.enter)
        try await bench.see("login.sh")
        bench.press(.enter)
        try await bench.see("Saved the curl command lines")
        let text = String(decoding: try bench.sortie.read("login.sh"), as: UTF8.self)
        #expect(text.contains("curl") && text.contains("\(server.url)/login"))
    }
}
