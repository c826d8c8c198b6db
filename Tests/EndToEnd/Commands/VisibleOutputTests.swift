import Foundation
import Support
import Testing

/// Tests that text from files and servers is made visible in pipes as well as on terminals, and that bodies are exact.
@Suite(.serialized)
struct VisibleOutputTests {
    /// Characters that control a terminal or change the reading order of text.
    private static let dangerous: [Unicode.Scalar] =
        ["\u{1b}", "\u{7}", "\u{8}", "\u{7f}", "\u{9b}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{202a}", "\u{202e}", "\u{2066}", "\u{2069}"]
    private static let name = "x" + String(String.UnicodeScalarView(dangerous)) + "y"
    /// The same characters in a double-quoted scalar of YAML.
    private static let escaped = "x" + dangerous.map { "\\u" + String(String(0x10000 + $0.value, radix: 16).dropFirst()) }.joined() + "y"

    private func expectVisible(_ run: ProcessRun, _ what: String) {
        for stream in [run.output, run.errorOutput] {
            #expect(!stream.unicodeScalars.contains { Self.dangerous.contains($0) }, "\(what): \(stream.debugDescription)")
        }
    }

    private func workspace() throws -> (Sortie, ScriptedServer) {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("body\u{202e}\u{1b}[31m"))
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {s: {command: \"echo \(Self.escaped)\"}}\n")
        try sortie.write("ws/api/service.yaml", "name: \"\(Self.escaped)\"\n")
        try sortie.write(
            "ws/api/get.yaml",
            "name: \"\(Self.escaped)\"\npath: \"\(server.url)/?q=1\"\nexpect: {json: {$.x: \"\(Self.escaped)\"}}\n"
                + "\"\(Self.escaped)\": 1\n")
        try sortie.write("ws/runs/all.yaml", "batch:\n  - {send: api/get, as: \"\(Self.escaped)\"}\n")
        return (sortie, server)
    }

    @Test(arguments: [
        ["list"], ["list", "--json"], ["check"], ["trust", "--list"], ["send", "api/get"], ["send", "api/get", "--dry-run"],
        ["run", "all"], ["run", "all", "--json"], ["run", "all", "--junit", "-"], ["send", "api/get", "-H", "\(name): 1"], ["send", "\(name)"],
        ["list", "--\(name)"],
    ])
    func `names of a workspace are escaped in a pipe`(arguments: [String]) async throws {
        let (sortie, server) = try workspace()
        defer { withExtendedLifetime(server) {} }
        let run = try await sortie.run(arguments + (arguments.first == "trust" ? ["ws"] : ["-w", "ws"]))
        #expect(run.output.count + run.errorOutput.count > 10)
        if arguments == ["send", "api/get"] {
            #expect(run.output == "body\u{202e}\u{1b}[31m", "the body of a pipe is exact")
        } else {
            expectVisible(run, "\(arguments)")
        }
    }

    @Test func `the history is escaped in a pipe, and its bodies are exact`() async throws {
        let (sortie, server) = try workspace()
        defer { withExtendedLifetime(server) {} }
        _ = try await sortie.run("send", "api/get", "-w", "ws")
        for arguments in [["history", "list"], ["history", "list", "--json"], ["history", "show", "last", "--json"]] {
            let run = try await sortie.run(arguments)
            #expect(run.status == .exited(0) && !run.output.isEmpty, "\(run)")
            expectVisible(run, "\(arguments)")
        }
        #expect(try await sortie.run("history", "show", "last").output == "body\u{202e}\u{1b}[31m")
    }

    @Test func `JSON escapes terminal control characters, in keys as well`() async throws {
        let (sortie, server) = try workspace()
        defer { withExtendedLifetime(server) {} }
        let run = try await sortie.run("send", "api/get", "-w", "ws", "--json")
        #expect(run.output.contains(#""body": "body\u202e\u001b[31m""#), "\(run)")
        expectVisible(run, "send --json")
    }
}
