import Foundation
import Support
import Testing

/// Tests what users do with a response: copying, opening, and finding it again after a restart.
@Suite(.serialized)
struct ResponseUseTests {
    private func bench(_ answer: HTTPAnswer, settings: String = "", environment: [String: String] = [:]) async throws -> Bench {
        let server = try ScriptedServer(answering: answer)
        let sortie = try Sortie()
        try sortie.home.write("config/sortie/config.yaml", settings)
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\n")
        var bench = Bench(terminal: try await sortie.open("ws", environment: environment), sortie: sortie)
        bench.server = server
        try await bench.see("Services", "Response", "Api")
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK")
        // The status is displayed before the body has arrived.
        try await bench.seeNoMore(" in flight")
        return bench
    }

    @Test func `a value is copied through the terminal, as the message says`() async throws {
        let bench = try await bench(.json(#"{"id": "order-7"}"#))
        bench.press(.character("j"), .character("y"))
        try await bench.see("Copied the value of $.id (7 bytes) with OSC 52")
        // The Base64 encoding of order-7.
        #expect(bench.terminal.display.systemCommands.contains("52;c;b3JkZXItNw=="))
        try await bench.quit()
    }

    @Test func `with clipboard off nothing is copied`() async throws {
        let bench = try await bench(.json(#"{"id": "order-7"}"#), settings: "clipboard: off\n")
        bench.press(.character("y"))
        try await bench.see("clipboard: off")
        #expect(!bench.terminal.display.systemCommands.contains { $0.hasPrefix("52;") })
        try await bench.quit()
    }

    @Test func `the pager shows the body as it is displayed, in a private file that is removed`() async throws {
        let pager = #"sh -c 'cp "$1" seen.txt; stat -c "mode %a %n" "$1" > mode.txt; echo The pager waits; read line' sh"#
        let bench = try await bench(.json(#"{"id":7,"text":"a"}"#), environment: ["PAGER": pager])
        bench.press(.character("o"))
        try await bench.see("The pager waits")
        let text = String(decoding: try bench.sortie.read("seen.txt"), as: UTF8.self)
        #expect(text == "{\n  \"id\": 7,\n  \"text\": \"a\"\n}\n")
        let mode = String(decoding: try bench.sortie.read("mode.txt"), as: UTF8.self).split(separator: " ")
        #expect(mode[1] == "600")
        bench.press(.enter)
        try await bench.see("200 OK")
        try await bench.quit()
        #expect(!FileManager.default.fileExists(atPath: String(mode[2].dropLast())))
    }

    @Test func `the program of the settings gets the bytes of the body without a shell`() async throws {
        let seen = try ScriptedServer { _ in .ok("seen") }
        let program = "open: {application/json: [sh, -c, 'curl -s -H \"X-File: $0\" --data-binary @\"$0\" \(seen.url)/']}\n"
        let bench = try await bench(.json(#"{"id":7}"#), settings: program)
        bench.press(.character("O"))
        try await bench.see("Opened the body with sh")
        let request = try #require(try await seen.waitForRequests(1).first)
        #expect(request.body == Array(#"{"id":7}"#.utf8))
        let name = try #require(request.headers.first { $0.name == "X-File" }?.value)
        #expect(name.hasSuffix(".json"))
        try await bench.quit()
        #expect(!FileManager.default.fileExists(atPath: name))
    }

    @Test func `without a desktop and a program the message names the remedy`() async throws {
        let bench = try await bench(.json(#"{"id":7}"#))
        bench.press(.character("O"))
        try await bench.see("there is no desktop session; name a program")
        try await bench.quit()
    }

    @Test func `after a restart the last response is shown from the history`() async throws {
        let first = try await bench(.json(#"{"order": "first"}"#))
        try await first.see(#""order": "first""#)
        try await first.quit()
        let again = Bench(terminal: try await first.sortie.open("ws"), sortie: first.sortie)
        try await again.see("from history", #""order": "first""#)
        again.press(.control("r"))
        try await again.seeNoMore("from history")
        // The title has the size without an arrow when the response is complete.
        try await again.see("200 OK · 18 B · ")
        try await again.quit()
    }

    @Test func `a truncated body is kept, and its size is named in the pane, the history and by sortie send`() async throws {
        let server = try ScriptedServer([
            .readRequest, .send(.claiming(length: 100, "hello world!", headers: [("Content-Type", "text/plain")])), .closeGracefully,
        ])
        var bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], .large)
        bench.server = server
        bench.press(.control("r"), .character("3"))
        try await bench.see("12 of 100 bytes received before that", "hello world!")
        bench.press(.character("H"))
        try await bench.see("12/100 B")
        try await bench.quit()
        let run = try await bench.sortie.run("send", "\(server.url)/")
        #expect(run.status == .exited(4) && run.output == "hello world!")
        #expect(run.errorOutput.contains("; 12 of 100 bytes received"), "\(run.errorOutput)")
    }
}
