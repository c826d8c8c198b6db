import Foundation
import Support
import Synchronization
import Testing

/// Tests the permission popup on a small terminal.
@Suite(.serialized)
struct PermissionQuestionTests {
    /// The workbench in a workspace whose endpoint runs a command that creates a file, and its server.
    private func opened(_ sortie: Sortie, _ server: ScriptedServer) async throws -> Bench {
        try sortie.write("ws/workspace.yaml", "name: Trial\nsecrets: {pw: {command: \"touch $HOME/canary; echo geheim\"}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\nheaders: {X-Mine: \"{{pw}}\"}\n")
        return try await reopened(sortie)
    }

    private func reopened(_ sortie: Sortie) async throws -> Bench {
        let bench = Bench(terminal: try await sortie.open("ws"), sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Api")
        return bench
    }

    private func hasRun(_ sortie: Sortie) -> Bool { FileManager.default.fileExists(atPath: sortie.home.path("canary")) }

    @Test(arguments: [TerminalKey.enter, .escape]) func `No and Esc send nothing and say why`(key: TerminalKey) async throws {
        let sortie = try Sortie(permitsOwn: false)
        let server = try ScriptedServer(answering: .ok("the body"))
        let bench = try await opened(sortie, server)
        bench.press(.control("r"))
        try await bench.see("May this workspace use your machine?", "No", "Only now", "Allow", "run the command", "send {{pw}} to \(server.url)")
        #expect(!hasRun(sortie))
        bench.press(key)
        try await bench.seeNoMore("May this workspace")
        try await bench.see("did not permit")
        #expect(!hasRun(sortie) && server.requests.isEmpty)
        try await bench.quit()
        #expect(!hasRun(sortie))
    }

    @Test func `Only now sends, and the next program asks again`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        let number = Mutex(0)
        let server = try ScriptedServer { _ in .ok("body \(number.withLock { $0 += 1; return $0 })") }
        let bench = try await opened(sortie, server)
        bench.press(.control("r"))
        try await bench.see("May this workspace")
        bench.press(.down, .enter)
        try await bench.see("body 1")
        #expect(hasRun(sortie))
        bench.press(.control("r"))
        try await bench.see("body 2")
        try await bench.quit()
        let next = try await reopened(sortie)
        next.press(.control("r"))
        try await next.see("May this workspace")
    }

    @Test func `Allow is remembered until the files ask for more`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        let server = try ScriptedServer(answering: .ok("the body"))
        let bench = try await opened(sortie, server)
        bench.press(.control("r"))
        try await bench.see("May this workspace")
        bench.press(.down, .down, .enter)
        try await bench.see("the body")
        try await bench.seeNoMore("in flight")
        try await bench.quit()
        let next = try await reopened(sortie)
        // The last response is shown from the history before.
        next.press(.control("r"))
        try await next.seeNoMore("from history")
        try await next.see("200 OK · 8 B", "the body")
        try await next.quit()
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\nheaders: {X-Mine: \"{{pw}}\", X-Home: \"{{$env.HOME}}\"}\n")
        let last = try await reopened(sortie)
        last.press(.control("r"))
        try await last.see("have changed since", "read the environment variable HOME")
        #expect(!last.terminal.screen.contains("run the command"))
    }

    @Test func `after an edit of the program of a hook the next send asks again, and is sent after Allow`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        let number = Mutex(0)
        let server = try ScriptedServer { _ in .ok("body \(number.withLock { $0 += 1; return $0 })") }
        let program = #"echo '{"headers": {"X-Mine": "NAME"}}'"#
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nhooks: [{stage: willSend, run: [sh, ./sign.sh], timeout: 300s}]\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\n")
        try sortie.write("ws/sign.sh", program.replacing("NAME", with: "first"))
        let bench = try await reopened(sortie)
        bench.press(.control("r"))
        try await bench.see("May this workspace")
        bench.press(.down, .down, .enter)
        try await bench.see("body 1")
        try sortie.write("ws/sign.sh", program.replacing("NAME", with: "second"))
        bench.press(.control("r"))
        try await bench.see("May this workspace", "have changed since", "sign.sh")
        #expect(server.requests.count == 1)
        bench.press(.down, .down, .enter)
        try await bench.see("body 2")
        #expect(server.requests.map { $0["X-Mine"] } == ["first", "second"])
        bench.press(.control("r"))
        try await bench.see("body 3")
        try await bench.quit()
    }

    @Test func `the demo asks for nothing`() async throws {
        let bench = try await Bench.demo()
        bench.send("gateway")
        try await bench.see("200 OK")
        #expect(!bench.terminal.screen.contains("May this workspace"))
    }
}
