import Foundation
import Support
import Testing

/// Tests `sortie download`: complete files, resumption, and the exit codes of the contract.
@Suite(.serialized)
struct DownloadCommandTests {
    /// The record of `--json` with the additional members of `download`.
    private struct Record: Decodable {
        struct Download: Decodable {
            let file: String
            let bytes: Int
            let resumedAt: Int
            let restarts: Int
            @Nullable var sha256: String?
        }

        let download: Download

        init(_ run: ProcessRun) throws {
            _ = try ExchangeRecord(run)
            self = try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
        }
    }

    /// Twenty million bytes without long repetitions.
    private static let big: [UInt8] = {
        var state: UInt64 = 3
        return (0..<20_000_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }()

    /// A server whose first connection stops in the middle until `gate` opens; later connections send the rest.
    private static func server(holding gate: Gate) throws -> ScriptedServer {
        let fields = [("ETag", "\"big\""), ("Accept-Ranges", "bytes")]
        let whole = HTTPAnswer(headers: fields, body: big)
        let rest = Script.answering { request in
            guard let first = request["Range"].flatMap({ Int($0.dropFirst("bytes=".count).dropLast()) }) else { return whole }
            let range = ("Content-Range", "bytes \(first)-\(big.count - 1)/\(big.count)")
            return HTTPAnswer(status: 206, reason: "Partial", headers: fields + [range], body: Array(big[first...]))
        }
        return try ScriptedServer([
            Script([.readRequest, .send(whole.headBytes), .send(Array(big.prefix(12_000_000))), .wait(for: gate)]), rest,
        ])
    }

    @Test func `S2.3 the workspace names the folder for downloads, which needs a permission outside of it`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        let server = try ScriptedServer(answering: .ok("bytes"))
        try sortie.write("w/api/service.yaml", "name: Api\n")
        try sortie.write("w/api/file.yaml", "path: \(server.url)/file.txt\nkind: download\n")
        try sortie.write("w/workspace.yaml", "name: W\nfolders: {downloads: got}\n")
        try sortie.write("elsewhere/.keep", "")
        let dry = try await sortie.run("download", "api/file", "-w", "w", "--dry-run")
        #expect(dry.status == .exited(0) && !FileManager.default.fileExists(atPath: sortie.work + "/w/got"), "\(dry)")
        // The folder is created.
        let inside = try await sortie.run("download", "api/file", "-w", "w")
        #expect(inside.status == .exited(0), "\(inside)")
        #expect(try String(contentsOfFile: sortie.work + "/w/got/file.txt", encoding: .utf8) == "bytes")
        try sortie.write("w/workspace.yaml", "name: W\nfolders: {downloads: ../elsewhere}\n")
        let outside = try await sortie.run("download", "api/file", "-w", "w")
        #expect(outside.status == .exited(3) && outside.errorOutput.contains("write downloads to"), "\(outside)")
        let typed = try await sortie.run("download", "api/file", "-w", "w", "-o", "typed.txt")
        #expect(typed.status == .exited(0), "\(typed)")
        let permitted = try await sortie.run("download", "api/file", "-w", "w", "--trust")
        #expect(permitted.status == .exited(0), "\(permitted)")
        #expect(try String(contentsOfFile: sortie.work + "/elsewhere/file.txt", encoding: .utf8) == "bytes")
    }

    @Test func `S2.37 an endpoint names the destination with templates, the digest and what is done with an existing file`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("content"))
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {variables: {version: \"1.2\"}}}\n")
        try sortie.write("w/files/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        let sum = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
        func file(_ more: String) throws {
            try sortie.write("w/files/a.yaml", "path: /a\nkind: download\ndownload: {to: \"../out/app-{{version}}.bin\"\(more)}\n")
        }
        try file(", sha256: \(sum), onExists: fail")
        try FileManager.default.createDirectory(atPath: sortie.work + "/w/out", withIntermediateDirectories: true)
        let run = try await sortie.run("download", "files/a", "-w", "w")
        #expect(run.status == .exited(0), "\(run)")
        #expect(try sortie.read("w/out/app-1.2.bin") == Array("content".utf8))
        #expect(try await sortie.run("download", "files/a", "-w", "w").status != .exited(0), "the file exists")
        try file(", sha256: \(String(repeating: "0", count: 64)), onExists: replace")
        #expect(try await sortie.run("download", "files/a", "-w", "w").failed(1, "digestMismatch"))
        #expect(try sortie.read("w/out/app-1.2.bin") == Array("content".utf8))
        let escape = try await sortie.run("download", "files/a", "-w", "w", "--var", "version=/../../x")
        #expect(escape.status == .exited(3) && escape.errorOutput.contains("is not the name of a file or folder"), "\(escape)")
    }

    @Test func `S2.37 to: names the file with values of the response`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(
            answering: .ok("content", headers: [("X-Report", "../up/ Q3"), ("Content-Disposition", "attachment; filename=r.pdf")]))
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {variables: {version: \"1.2\"}}}\n")
        try sortie.write("w/files/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("w/out/keep", "")
        func download(_ to: String) async throws -> ProcessRun {
            try sortie.write("w/files/a.yaml", "path: /a\nkind: download\ndownload: {to: \"\(to)\"}\n")
            return try await sortie.run("download", "files/a", "-w", "w")
        }
        let run = try await download("../out/{{version}}-{{response.header.X-Report}}-{{response.status}}-{{response.name}}")
        #expect(run.status == .exited(0), "\(run)")
        #expect(try sortie.read("w/out/1.2-Q3-200-r.pdf") == Array("content".utf8))
        #expect(try await download("../out/{{response.header.X-Missing}}.pdf").status == .exited(0))
        #expect(try await sortie.shell("ls w/out").output == "1.2-Q3-200-r.pdf\nkeep\nr.pdf\n")
        let folder = try await download("../{{response.name}}/x")
        #expect(folder.status == .exited(3) && folder.errorOutput.contains("only in the name of the file"), "\(folder)")
        let unknown = try await download("../out/{{response.size}}")
        #expect(unknown.status == .exited(3) && unknown.errorOutput.contains("{{response.size}} is none of"), "\(unknown)")
    }

    @Test func `S2.33 --discard-parts removes the parts and manifests of a folder, and no other file`() async throws {
        let sortie = try Sortie()
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let run = try await sortie.shell(
            "\"$SORTIE\" download \(server.url)/big -o big & while ! test -e big.part.json; do sleep 0.05; done; kill -KILL $!; wait; ls")
        #expect(run.output.contains("big.part\n") && run.output.contains("big.part.json"), "\(run)")
        gate.open()
        try sortie.write("mine.part", "not a download")
        try sortie.write("other.part.json", "{}")
        let discarded = try await sortie.run("download", "--discard-parts")
        #expect(discarded.status == .exited(0) && discarded.output.hasSuffix("big.part\n"), "\(discarded)")
        #expect(try await sortie.shell("ls").output == "mine.part\nother.part.json\n")
        #expect(try await sortie.run("download", "x/y", "--discard-parts").status == .exited(2))
    }

    @Test func `S2.31 a completed download leaves only the complete file under its name`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run("download", "\(DemoProcess.shared.url)/files/big.bin?size=3MB")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.outputBytes.isEmpty && run.errorOutput.isEmpty)
        #expect(try await sortie.shell("ls -A; stat -c %s big.bin").output == "big.bin\n3000000\n")
    }

    @Test func `--json prints the file, its length and its digest`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run("download", "\(DemoProcess.shared.url)/files/big.bin?size=3MB", "-o", "x", "--json")
        let record = try Record(run).download
        #expect(record.file.hasSuffix("/work/x"))
        #expect(record.bytes == 3_000_000 && record.resumedAt == 0 && record.restarts == 0)
        #expect(try await sortie.shell("sha256sum x").output.hasPrefix(record.sha256 ?? "none"))
    }

    @Test func `S4.2 an endpoint of the workspace is downloaded`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run(
            "download", "files/named", "-w", Sortie.demoWorkspace, "--var", "host=\(DemoProcess.shared.authority)", "-q", "size=1000")
        #expect(run.status == .exited(0), "\(run)")
        #expect(try await sortie.shell("ls -A").output == "Bericht 报告 №5.bin\n")
    }

    @Test func `S0.12 a killed program leaves a part, and the next program resumes it`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let terminal = try await sortie.open("download", server.url + "/big", "-o", "big", "-v", size: (120, 40))
        // The received bytes are synchronised to disk even without further data.
        try await terminal.waitForText("12 MB are saved", within: Sortie.patience)
        // The text is rounded, so that it may also be that of an earlier save.
        let saved = try await sortie.shell("until grep -q 12000000 big.part.json; do sleep 0.05; done")
        #expect(saved.succeeded, "\(saved)")
        terminal.signal(SIGKILL)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
        let run = try await sortie.run("download", server.url + "/big", "-o", "big", "--json")
        let record = try Record(run).download
        #expect(record.resumedAt == 12_000_000)
        #expect(record.restarts == 0)
        #expect(server.requests.last?["Range"] == "bytes=\(record.resumedAt - 4096)-")
        #expect(try sortie.read("big") == Self.big)
        gate.open()
    }

    @Test func `a dumb terminal gets no control sequences`() async throws {
        let server = try ScriptedServer { _ in .ok("x") }
        let sortie = try Sortie()
        let terminal = try await sortie.open("download", server.url + "/x", "-o", "x", environment: ["TERM": "dumb"])
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(!terminal.rawOutput.contains(0x1B), "\(terminal.screen)")
    }

    @Test(arguments: [SIGHUP, SIGTERM, SIGQUIT]) func `SIGHUP, SIGTERM and SIGQUIT keep the part as well`(signal: Int32) async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let terminal = try await sortie.open("download", server.url + "/big", "-o", "big")
        try await terminal.waitUntil("a bar at 60 %", within: Sortie.patience) { $0.text.contains("█") && $0.text.contains("60 %") }
        terminal.signal(signal)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        let run = try await sortie.run("download", server.url + "/big", "-o", "big", "--json")
        #expect(try Record(run).download.resumedAt == 12_000_000)
        #expect(try sortie.read("big") == Self.big)
        gate.open()
    }

    @Test func `a download under nohup does not end with its terminal`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let terminal = try await sortie.openShell("trap '' HUP; exec \"$SORTIE\" download \(server.url)/big -o big")
        try await terminal.waitUntil("a bar at 60 %", within: Sortie.patience) { $0.text.contains("█") && $0.text.contains("60 %") }
        terminal.signal(SIGHUP)
        terminal.signal(SIGTERM)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        #expect(terminal.screen.contains("sortie: cancelled: "), "the SIGTERM was the first request to end, not the second")
        gate.open()
    }

    @Test func `Ctrl-C keeps the part, prints how to resume, and ends with 130`() async throws {
        let gate = Gate()
        let server = try Self.server(holding: gate)
        let sortie = try Sortie()
        let terminal = try await sortie.open("download", server.url + "/big", "-o", "big")
        try await terminal.waitUntil("a bar at 60 %", within: Sortie.patience) { $0.text.contains("█") && $0.text.contains("60 %") }
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        #expect(terminal.screen.contains("sortie: cancelled: "))
        #expect(terminal.screen.contains("12 MB are saved; run the same command again"))
        #expect(try await sortie.shell("ls -A").output == "big.part\nbig.part.json\n")
        let run = try await sortie.run("download", server.url + "/big", "-o", "big", "--json")
        #expect(try Record(run).download.resumedAt == 12_000_000)
        #expect(try sortie.read("big") == Self.big)
        gate.open()
    }

    /// Connections that send single bytes with short pauses, so that no attempt reaches its own limit.
    private static func trickle() throws -> ScriptedServer {
        let fields = [("ETag", "\"slow\""), ("Accept-Ranges", "bytes")]
        return try ScriptedServer(
            Script([
                .readRequest, .send(HTTPAnswer(headers: fields, body: [UInt8](repeating: 7, count: 100_000)).headBytes),
                .repeat([.send("x"), .pause(.milliseconds(50))]),
            ]))
    }

    @Test func `--timeout limits the complete download and keeps the received bytes`() async throws {
        try await growing(from: .milliseconds(1000)) { limit -> Void? in
            let sortie = try Sortie()
            let server = try Self.trickle()
            let run = try await sortie.run("download", server.url + "/slow", "-o", "slow", "--timeout", limit.secondsText)
            #expect(run.failed(4, "timedOut"), "\(run)")
            #expect(run.errorOutput.contains("the download was not complete within \(limit.secondsText) s"))
            let names = try await sortie.shell("ls -A").output
            // The program must have time to receive the first byte.
            if names.isEmpty { return nil }
            #expect(names == "slow.part\nslow.part.json\n")
            return ()
        }
    }

    @Test(arguments: ["timeout: {total: 1500ms}", "timeout: 1500ms"])
    func `a total in the endpoint's file limits its download`(line: String) async throws {
        let sortie = try Sortie()
        let server = try Self.trickle()
        try sortie.write("api/workspace.yaml", "name: api\nenvironments: {develop: {}}\n")
        try sortie.write("api/files/service.yaml", "servers: {develop: [\"\(server.url)\"]}\n")
        try sortie.write("api/files/slow.yaml", "path: /slow\nkind: download\n\(line)\n")
        let limited = try await sortie.run("download", "files/slow", "-w", "api", "-o", "slow")
        #expect(limited.failed(4, "timedOut"), "\(limited)")
        #expect(limited.errorOutput.contains("the download was not complete within 1.5 s"))
    }

    @Test(arguments: [0, 1]) func `--retry sets the number of retries after failures`(count: Int) async throws {
        let sortie = try Sortie()
        let empty = Script(.readRequest, .closeGracefully)
        let server = try ScriptedServer([
            Script(.readRequest, .send(HTTPAnswer.claiming(length: 5000, "x").headBytes), .send("x"), .closeGracefully), empty, empty, empty, empty,
        ])
        let run = try await sortie.run("download", server.url, "-o", "f", "--retry", "\(count)", "--allow-unvalidated")
        #expect(run.status == .exited(4), "\(run)")
        #expect(server.requests.count == count + 1)
    }

    @Test func `an interrupted download reports the number of kept bytes and the reason`() async throws {
        let server = try ScriptedServer([.readRequest, .send(.claiming(length: 10, "half")), .closeGracefully])
        let sortie = try Sortie()
        let run = try await sortie.run("download", server.url + "/f", "--retry", "0", "--allow-unvalidated")
        #expect(run.status == .exited(4), "\(run)")
        #expect(run.errorOutput.contains("4 B are saved; run the same command again to resume"), "\(run)")
    }

    @Test func `a wrong digest ends with 1 and leaves no file`() async throws {
        let sortie = try Sortie()
        let zeros = String(repeating: "0", count: 64)
        let run = try await sortie.run("download", "\(DemoProcess.shared.url)/files/big.bin?size=1MB", "--sha256", zeros)
        #expect(run.failed(1, "digestMismatch"), "\(run)")
        #expect(try await sortie.shell("ls -A").output.isEmpty)
    }

    @Test func `a 404 ends with 1, a closed port with 4, a missing folder with 3`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .status(404, "no"))
        #expect(try await sortie.run("download", server.url).failed(1, "status"))
        let dead = try DeadPort(.refusing)
        #expect(try await sortie.run("download", dead.url).failed(4, "connectionRefused"))
        withExtendedLifetime(dead) {}
        #expect(try await sortie.run("download", server.url, "-o", "nowhere/f").failed(3, "file"))
        #expect(try await sortie.shell("ls -A").output.isEmpty)
    }

    @Test(arguments: [
        ["--sha256", "abc"], ["--on-exists", "ask"], ["--limit-rate", "fast"], ["--limit-rate", "0"], ["--connections", "0"],
        ["--connections", "5"], ["-d", "body"], ["-X", "POST"],
    ])
    func `mistakes in the command line end with 2`(arguments: [String]) async throws {
        let run = try await Sortie().run(["download", "http://127.0.0.1:9/f"] + arguments)
        #expect(run.status == .exited(2), "\(run)")
        #expect(run.errorLines.first?.hasPrefix("sortie: usage: ") == true)
    }
}
