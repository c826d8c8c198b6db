import Foundation
import Glibc
import Support
import Testing

/// Tests downloads that continue in processes of their own: `download --detach`, `list`, `attach` and `stop`.
@Suite(.serialized)
struct DetachedDownloadTests {
    private struct Record: Decodable {
        let id: Int
        let state: String
        let target: String
        let file: String
        let bytes: Int
        @Nullable var total: Int?
        @Nullable var pid: Int32?
        @Nullable var exitCode: Int?
        @Nullable var resume: String?
    }

    private static let body = [UInt8]("0123456789abcdef".utf8.cycled(to: 200_000))

    /// A server whose first connection stops after 120,000 bytes until `gate` opens; later connections send the rest.
    private static func server(holding gate: Gate) throws -> ScriptedServer {
        let fields = [("ETag", "\"f\""), ("Accept-Ranges", "bytes")]
        let whole = HTTPAnswer(headers: fields, body: body)
        let rest = Script.answering { request in
            guard let first = request["Range"].flatMap({ Int($0.dropFirst("bytes=".count).dropLast()) }) else { return whole }
            let range = ("Content-Range", "bytes \(first)-\(body.count - 1)/\(body.count)")
            return HTTPAnswer(status: 206, reason: "Partial", headers: fields + [range], body: Array(body[first...]))
        }
        return try ScriptedServer([Script([.readRequest, .send(whole.headBytes), .send(Array(body.prefix(120_000))), .wait(for: gate)]), rest])
    }

    private static func records(_ sortie: Sortie) async throws -> [Record] {
        let run = try await sortie.run("download", "list", "--json")
        #expect(run.status == .exited(0), "\(run)")
        return try JSONDecoder().decode([Record].self, from: Data(run.outputBytes))
    }

    /// The records of a list in which `condition` holds.
    private static func records(_ sortie: Sortie, when condition: @escaping @Sendable ([Record]) -> Bool) async throws -> [Record] {
        try await withDeadline(Sortie.patience, "the list to change") {
            while true {
                let found = try await Self.records(sortie)
                if condition(found) { return found }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test func `S2.65 a detached download continues after its command, which keeps no stream open, and attach ends as the download does`()
        async throws
    {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        // The shell reads the output to its end, which is that of the last process that has it open, and inherits a further descriptor.
        let run = try await sortie.shell("exec 5>&1; id=$(\"$SORTIE\" download \(server.url)/f -o f --detach); echo \"[$id]\"")
        #expect(run.status == .exited(0) && run.output == "[1  \(sortie.work)/f]\n", "\(run)")
        #expect(run.errorOutput.contains("sortie download attach 1 displays its progress"), "\(run)")
        let running = try await Self.records(sortie)
        #expect(running.map(\.id) == [1] && running.first?.pid != nil && running.first?.exitCode == nil)
        #expect(running.first?.file == sortie.work + "/f" && running.first?.target == "\(server.url)/f")
        gate.open()
        let attached = try await sortie.run("download", "attach", "f")
        #expect(attached.status == .exited(0) && attached.errorOutput.isEmpty, "\(attached)")
        #expect(try sortie.read("f") == Self.body)
        let ended = try await Self.records(sortie)
        #expect(ended.map(\.state) == ["done"] && ended.first?.exitCode == 0 && ended.first?.bytes == Self.body.count)
        #expect(try await sortie.run("history", "list").output.contains("/f"), "the history has the exchange")
    }

    @Test(arguments: ["", "--json"]) func `S2.65 a download is detached although nothing reads its announcement`(option: String) async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        // The pipe has had a reader, which has ended.
        let run = try await sortie.shell(
            "mkfifo p; : < p & exec 5> p; wait; \"$SORTIE\" download \(server.url)/f -o f --detach \(option) >&5; echo $?")
        #expect(run.output == "0\n", "\(run)")
        gate.open()
        let attached = try await sortie.run("download", "attach", "f")
        #expect(attached.status == .exited(0), "\(attached)")
        #expect(try sortie.read("f") == Self.body)
    }

    @Test func `S2.65 a killed download is listed as interrupted with the command that resumes it`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let run = try await sortie.runProcess("download", "\(server.url)/f", "-o", "f", "--detach", "--json")
        let pid = try #require(try JSONDecoder().decode(Record.self, from: Data(run.outputBytes)).pid)
        // Bytes that are saved are those that a kill does not lose.
        _ = try await Self.records(sortie) { $0.first?.bytes == 120_000 }
        kill(pid, SIGKILL)
        let interrupted = try await Self.records(sortie) { $0.first?.pid == nil }
        #expect(interrupted.first?.state == "interrupted")
        let command = try #require(interrupted.first?.resume)
        #expect(command == "cd \(sortie.work) && sortie download \(server.url)/f -o f --detach --json")
        #expect(try await sortie.run("download", "attach", "1").failed(130, "cancelled"))
        #expect(try await sortie.run("download", "list").output.contains("   resume: \(command)\n"))
        gate.open()
        let resumed = try await sortie.shell("sortie() { \"$SORTIE\" \"$@\"; }; \(command)")
        #expect(resumed.status == .exited(0), "\(resumed)")
        #expect(try await sortie.run("download", "attach", "2").status == .exited(0))
        #expect(try sortie.read("f") == Self.body)
        #expect(server.requests.last?["Range"] == "bytes=\(120_000 - 4096)-")
        #expect(try await Self.records(sortie).map(\.id) == [2], "the interrupted one is replaced")
    }

    @Test func `S2.65 stop ends the process and keeps its part`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        #expect(try await sortie.runProcess("download", "\(server.url)/f", "-o", "f", "--detach").status == .exited(0))
        _ = try await Self.records(sortie) { $0.first?.bytes == 120_000 }
        let stopped = try await sortie.run("download", "stop", "f")
        #expect(stopped.status == .exited(0), "\(stopped)")
        #expect(stopped.errorOutput.contains("120 kB are saved in \(sortie.work)/f.part\n  to resume: cd "), "\(stopped)")
        let records = try await Self.records(sortie)
        #expect(records.first?.exitCode == 130 && records.first?.state == "stopped", "\(records)")
        #expect(try await sortie.run("download", "stop", "1").failed(2, "usage"))
        gate.open()
        #expect(try await sortie.run("download", "\(server.url)/f", "-o", "f").status == .exited(0))
        #expect(try sortie.read("f") == Self.body)
    }

    @Test func `S2.65 Ctrl-C ends attach and not the download`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let terminal = try await sortie.openShell(
            "\"$SORTIE\" download \(server.url)/f -o f --detach && \"$SORTIE\" download attach 1; echo \"ended with $?\"; cat")
        try await terminal.waitUntil("a bar at 60 %", within: Sortie.patience) { $0.text.contains("█") && $0.text.contains("60 %") }
        terminal.press(.control("c"))
        try await terminal.waitForText("download 1 continues", within: Sortie.patience)
        #expect(try await Self.records(sortie).first?.pid != nil)
        gate.open()
        #expect(try await sortie.run("download", "attach", "1").status == .exited(0))
        #expect(try sortie.read("f") == Self.body)
    }

    @Test func `S2.65 secrets are neither in the arguments of the process nor in its state`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let run = try await sortie.runProcess(
            "download", "\(server.url)/f", "-o", "f", "--detach", "--json", "-v", "-H", "X-Api-Key: canary-5f1c", "-u", "ann:canary-7d2e")
        let record = try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
        let pid = try #require(record.pid)
        let arguments = String(decoding: try #require(FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")), as: UTF8.self)
        #expect(arguments.hasSuffix("\0") && arguments.contains("download") && !arguments.contains("canary"))
        let found = try await sortie.shell("grep -r canary ../state; tr '\\0' '\\n' </proc/\(pid)/environ | grep canary")
        #expect(found.output.isEmpty, "\(found)")
        gate.open()
        #expect(try await sortie.run("download", "attach", "1").status == .exited(0))
    }

    @Test func `S2.65 a download that fails at its first response ends in the foreground`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .status(404, "no"))
        #expect(try await sortie.runProcess("download", "\(server.url)/f", "--detach").failed(1, "status"))
        try sortie.write("there", "x")
        let exists = try await sortie.runProcess("download", "\(server.url)/f", "-o", "there", "--on-exists", "fail", "--detach")
        #expect(exists.status == .exited(3), "\(exists)")
        #expect(try await Self.records(sortie).isEmpty)
        #expect(try await sortie.shell("ls -A ../state/sortie/downloads").output.isEmpty)
    }

    @Test func `S2.65 attach prints the messages of a download that failed, and ends with its exit code`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("content"))
        let zeros = String(repeating: "0", count: 64)
        #expect(try await sortie.runProcess("download", server.url, "-o", "f", "--sha256", zeros, "--detach").status == .exited(0))
        #expect(try await sortie.run("download", "attach", "1").failed(1, "digestMismatch"))
        #expect(try await Self.records(sortie).first?.exitCode == 1)
    }

    @Test(arguments: [
        ["attach"], ["stop"], ["list", "1"], ["list", "--detach"], ["attach", "7"], ["--discard-parts", "--detach"],
        ["http://127.0.0.1:9/f", "--detach", "--show-secrets"],
    ])
    func `S2.65 mistakes in commands of detached downloads end with 2`(arguments: [String]) async throws {
        let run = try await Sortie().run(["download"] + arguments)
        #expect(run.status == .exited(2) && run.outputBytes.isEmpty, "\(run)")
    }

    @Test func `S2.65 endpoints and services with the names of commands are targets`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("content"))
        try sortie.write("w/workspace.yaml", "name: W\n")
        try sortie.write("w/list/service.yaml", "name: L\n")
        try sortie.write("w/list/stop.yaml", "path: \(server.url)/f\nkind: download\n")
        let listed = try await sortie.run("download", "list", "-w", "w")
        #expect(listed.status == .exited(0) && listed.errorOutput.hasPrefix("no detached download"), "\(listed)")
        for (target, file) in [("list/stop", "a"), ("./list/stop", "b")] {
            let run = try await sortie.run("download", target, "-w", "w", "-o", file)
            #expect(run.status == .exited(0), "\(run)")
            #expect(try sortie.read(file) == Array("content".utf8))
        }
    }
}

extension Collection where Element == UInt8 {
    /// The elements again and again.
    fileprivate func cycled(to count: Int) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count { result += self }
        return Array(result.prefix(count))
    }
}
