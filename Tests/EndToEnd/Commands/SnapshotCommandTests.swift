import Foundation
import Support
import Testing

/// Tests `expect: {snapshot: …}` with the commands that send requests.
@Suite struct SnapshotCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
    }

    /// Writes the endpoint for a server with one response.
    private func serve(_ response: HTTPAnswer, snapshot: String = "true", _ name: String = "a") throws -> ScriptedServer {
        let server = try ScriptedServer(answering: response)
        try sortie.write("ws/api/\(name).yaml", "path: \(server.url)/\(name)\nexpect: {snapshot: \(snapshot)}\n")
        return server
    }

    private func send(_ more: String...) async throws -> ProcessRun { try await sortie.run(["send", "api/a", "-w", "ws"] + more) }

    private var recorded: String { get throws { String(decoding: try sortie.read("ws/api/a.snapshot"), as: UTF8.self) } }

    @Test func `a body is recorded beside its endpoint with a line for each value, and an equal value passes`() async throws {
        var server = try serve(.json(#"{"b":[1,2.50],"a":"é"}"#))
        let first = try await send("--update-snapshots")
        #expect(first.status == .exited(0) && first.errorOutput.contains("the body was recorded in"), "\(first)")
        #expect(try recorded == "{\n  \"b\": [\n    1,\n    2.50\n  ],\n  \"a\": \"é\"\n}\n")
        server = try serve(.json(#"{ "a": "\u00e9", "b": [1, 2.5] }"#))
        let second = try await send()
        #expect(second.status == .exited(0), "\(second)")
        withExtendedLifetime(server) {}
    }

    @Test func `each difference is named by its path`() async throws {
        var server = try serve(.json(#"{"a": 1, "b": {"c": "x"}, "d": true}"#))
        _ = try await send("--update-snapshots")
        server = try serve(.json(#"{"a": 2, "b": {"c": "y"}, "e": 0}"#))
        let run = try await send("--json")
        #expect(run.status == .exited(1), "\(run)")
        for text in ["snapshot $.a", "snapshot $.b.c", "snapshot $.d", "snapshot $.e"] { #expect(run.output.contains(text), "\(text) \(run)") }
        let before = try recorded
        _ = try await send("--update-snapshots")
        #expect(try recorded != before)
        #expect(try await send().status == .exited(0))
        withExtendedLifetime(server) {}
    }

    @Test func `ignored values may differ, also when they were recorded`() async throws {
        let ignored = "{ignore: [$.time, \"$.items[*].id\"]}"
        var server = try serve(.json(#"{"time": 1, "items": [{"id": 1, "n": "a"}]}"#), snapshot: ignored)
        _ = try await send("--update-snapshots")
        server = try serve(.json(#"{"time": 2, "items": [{"id": 7, "n": "a"}]}"#), snapshot: ignored)
        #expect(try await send().status == .exited(0))
        server = try serve(.json(#"{"time": 2, "items": [{"id": 7, "n": "b"}]}"#), snapshot: ignored)
        #expect(try await send().status == .exited(1))
        withExtendedLifetime(server) {}
    }

    @Test func `a missing snapshot fails with the option that records it, and the request is sent`() async throws {
        let server = try serve(.ok("fine"))
        let run = try await send()
        #expect(run.status == .exited(1) && run.output == "fine" && run.errorOutput.contains("--update-snapshots"), "\(run)")
        #expect(server.requests.count == 1)
    }

    @Test func `a text is compared by lines, and other bytes are not recorded`() async throws {
        var server = try serve(.ok("one\ntwo\n"))
        _ = try await send("--update-snapshots")
        #expect(try recorded == "one\ntwo\n")
        server = try serve(.ok("one\n2\ntwo\n"))
        let run = try await send()
        #expect(run.status == .exited(1) && run.errorOutput.contains("lines added: 1, removed: 0"), "\(run)")
        #expect(run.errorOutput.contains("snapshot line 2: expected no such line, got “2”"), "\(run)")
        server = try serve(.ok(bytes: [0xff, 0xfe]))
        let bytes = try await send("--update-snapshots")
        #expect(bytes.status == .exited(1) && bytes.errorOutput.contains("not UTF-8 text"), "\(bytes)")
        #expect(try recorded == "one\ntwo\n")
        withExtendedLifetime(server) {}
    }

    @Test func `a value with the name of a secret is masked in the file and not compared`() async throws {
        var server = try serve(.json(#"{"access_token": "geheim-1", "n": 1}"#))
        _ = try await send("--update-snapshots")
        #expect(try !recorded.contains("geheim"))
        server = try serve(.json(#"{"access_token": "geheim-2", "n": 1}"#))
        #expect(try await send().status == .exited(0))
        withExtendedLifetime(server) {}
    }

    @Test func `the value of a secret that the response repeats is masked in the file, and the next value of it is equal`() async throws {
        func send(_ value: String, _ more: String...) async throws -> ProcessRun {
            let server = try serve(.json("{\"greeting\": \"hello \(value)\", \"n\": 1}"))
            try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {pw: {command: echo \(value), hosts: [127.0.0.1]}}\n")
            try sortie.write("ws/api/a.yaml", "path: \(server.url)/a\nheaders: {X-Mine: \"{{pw}}\"}\nexpect: {snapshot: true}\n")
            defer { withExtendedLifetime(server) {} }
            return try await sortie.run(["send", "api/a", "-w", "ws"] + more)
        }
        #expect(try await send("geheim1", "--update-snapshots").status == .exited(0))
        #expect(try recorded.contains("••••") && !recorded.contains("geheim1"))
        #expect(try await send("geheim2").status == .exited(0))
        // A record of an earlier version has the value.
        try sortie.write("ws/api/a.snapshot", "{\"greeting\": \"hello geheim1\", \"n\": 1}\n")
        #expect(try await send("geheim1").status == .exited(0))
    }

    @Test func `a planted link in place of the file is not followed`() async throws {
        let server = try serve(.ok("fine"))
        let target = try sortie.home.write("elsewhere", "mine")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/api/a.snapshot", withDestinationPath: target)
        let run = try await send("--update-snapshots")
        #expect(run.status == .exited(1), "\(run)")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        withExtendedLifetime(server) {}
    }

    @Test func `the steps of a run have files of their own, and a difference fails the run`() async throws {
        let server = try ScriptedServer { request in .json("{\"path\": \"\(request.target)\"}") }
        try sortie.write("ws/api/a.yaml", "path: \(server.url)/{{n}}\nvariables: {n: \"1\"}\n")
        let steps =
            "  - {send: api/a, as: x, with: {n: \"1\"}, expect: {snapshot: true}}\n  - {send: api/a, as: y, with: {n: \"2\"}, expect: {snapshot: true}}\n"
        try sortie.write("ws/runs/all.yaml", "chain:\n\(steps)")
        #expect(try await sortie.run("run", "all", "-w", "ws", "--update-snapshots").status == .exited(0))
        #expect(String(decoding: try sortie.read("ws/runs/all.x.snapshot"), as: UTF8.self).contains("/1"))
        #expect(String(decoding: try sortie.read("ws/runs/all.y.snapshot"), as: UTF8.self).contains("/2"))
        #expect(try await sortie.run("run", "all", "-w", "ws").status == .exited(0))
        try sortie.write("ws/runs/all.yaml", "chain:\n\(steps.replacingOccurrences(of: "\"2\"", with: "\"3\""))")
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(1) && (run.output + run.errorOutput).contains("snapshot $.path"), "\(run)")
    }

    @Test func `an endpoint without a snapshot is named when nothing was recorded`() async throws {
        let server = try ScriptedServer(answering: .ok("fine"))
        try sortie.write("ws/api/a.yaml", "path: \(server.url)/\n")
        let run = try await send("--update-snapshots")
        #expect(run.status == .exited(0) && run.errorOutput.contains("nothing was recorded"), "\(run)")
    }
}
