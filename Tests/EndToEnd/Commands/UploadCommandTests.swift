import Foundation
import Support
import Testing

/// Tests `sortie upload`: files are sent unchanged, with the exit codes of the contract.
@Suite(.serialized)
struct UploadCommandTests {
    /// The demo server's description of the received body.
    private struct Receipt: Decodable {
        struct Part: Decodable {
            let name: String
            @Nullable var filename: String?
            let sha256: String
        }

        let bytes: Int
        let sha256: String
        var parts: [Part]?

        init(_ run: ProcessRun) throws {
            self = try JSONDecoder().decode(Receipt.self, from: Data(run.outputBytes))
        }
    }

    private static var url: String { get async throws { "\(try await DemoProcess.shared.url)/upload" } }

    private func digest(_ sortie: Sortie, _ file: String) async throws -> String {
        String(try await sortie.shell("sha256sum \(file)").output.prefix(64))
    }

    @Test func `S2.38 a file is received completely, and the response is on stdout`() async throws {
        let sortie = try Sortie()
        try sortie.write("a.bin", (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 17) })
        let run = try await sortie.run("upload", try await Self.url, "a.bin")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.isEmpty)
        let receipt = try Receipt(run)
        #expect(receipt.bytes == 3_000_000)
        #expect(try await receipt.sha256 == digest(sortie, "a.bin"))
    }

    @Test func `a file is uploaded under its name where the URL ends with a slash`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        try sortie.write("Prüf bericht.pdf", "x")
        try sortie.write("b.txt", "y")
        let run = try await sortie.run("upload", server.url + "/in/", "Prüf bericht.pdf", "b.txt")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.method) == ["PUT", "PUT"])
        #expect(server.requests.map(\.target) == ["/in/Pr%C3%BCf%20bericht.pdf", "/in/b.txt"])
        #expect(server.requests.map { $0["Content-Type"] } == ["application/pdf", "text/plain"])
        #expect(server.requests.map(\.bodyText) == ["x", "y"])
    }

    @Test func `--json prints a record for each file`() async throws {
        let sortie = try Sortie()
        try sortie.write("a", "one")
        try sortie.write("b", "three")
        let run = try await sortie.run("upload", try await Self.url, "a", "b", "-X", "POST", "--parallel", "2", "--json")
        #expect(run.status == .exited(0), "\(run)")
        let records = try run.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let uploads = records.compactMap { $0["upload"] as? [String: Any] }
        #expect(Set(uploads.compactMap { ($0["file"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } }) == ["a", "b"])
        #expect(Set(uploads.compactMap { $0["bytes"] as? Int }) == [3, 5])
        #expect(records.allSatisfy { ($0["response"] as? [String: Any])?["status"] as? Int == 200 })
    }

    @Test func `--field and -F put all files into one form`() async throws {
        let sortie = try Sortie()
        try sortie.write("a.txt", "one")
        try sortie.write("b.txt", "two")
        let receipt = try Receipt(await sortie.run("upload", try await Self.url, "a.txt", "b.txt", "--field", "doc", "-F", "title=T"))
        #expect(receipt.parts?.map(\.name) == ["title", "doc", "doc"])
        #expect(receipt.parts?.map(\.filename) == [nil, "a.txt", "b.txt"])
    }

    @Test func `S4.2 files replace those of an endpoint, and its fields are kept`() async throws {
        let sortie = try Sortie()
        try sortie.write("mine.txt", "mine")
        let workspace = ["-w", try Sortie.demoWorkspace, "--var", "host=\(try await DemoProcess.shared.authority)"]
        let raw = try Receipt(await sortie.run(["upload", "files/upload", "mine.txt"] + workspace))
        #expect(try await raw.sha256 == digest(sortie, "mine.txt"))
        let parts = try Receipt(await sortie.run(["upload", "files/upload-parts", "mine.txt"] + workspace)).parts
        #expect(parts?.map(\.name) == ["title", "id", "document"])
        #expect(parts?.last?.filename == "mine.txt")
        #expect(try await sortie.run(["upload", "files/upload"] + workspace).status == .exited(0))
    }

    @Test func `standard input is sent in chunks, also when it is empty`() async throws {
        let sortie = try Sortie()
        let url = try await Self.url
        let run = try await sortie.shell("(echo one; echo two) | $SORTIE upload \(url) -")
        #expect(try Receipt(run).bytes == 8)
        let empty = try await sortie.shell(": | $SORTIE upload \(url) -")
        #expect(try Receipt(empty).bytes == 0)
    }

    @Test func `--dry-run prints the requests`() async throws {
        let sortie = try Sortie()
        try sortie.write("a.txt", "one")
        let run = try await sortie.run("upload", "http://127.0.0.1:9/in/", "a.txt", "--dry-run")
        #expect(run.output.hasPrefix("PUT http://127.0.0.1:9/in/a.txt\n"))
        #expect(run.output.contains("Content-Length: 3\n"))
    }

    @Test func `Ctrl-C ends with 130 and reports the number of sent bytes`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readHead, .readBytes(20 << 20), .wait(for: gate)])
        let sortie = try Sortie()
        let terminal = try await sortie.openShell("truncate -s 100M big; $SORTIE upload \(server.url)/big big")
        try await terminal.waitUntil("a bar", within: Sortie.patience) { $0.text.contains("█") && $0.text.contains(" of 105 MB") }
        terminal.press(.control("c"))
        try await terminal.waitForText("sortie: cancelled: the upload of big was cancelled", within: Sortie.patience)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        #expect(terminal.screen.contains("of 105 MB were sent"))
        gate.open()
    }

    @Test func `a missing file and a folder end with 3 before anything is sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        try sortie.write("a", "one")
        #expect(try await sortie.run("upload", server.url + "/", "a", "nix").failed(3, "fileUnreadable"))
        #expect(try await sortie.run("upload", server.url + "/", "a", ".").failed(3, "fileUnreadable"))
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a rejected file ends with 1, a closed port with 4, and unsent files are listed`() async throws {
        let sortie = try Sortie()
        try sortie.write("a", "one")
        try sortie.write("b", "two")
        let server = try ScriptedServer(answering: .status(413, "too large"))
        let refused = try await sortie.run("upload", server.url, "a")
        #expect(refused.status == .exited(1) && refused.output == "too large", "\(refused)")
        #expect(refused.errorOutput.contains("sortie: status: the server responded with 413"))
        let second = try await sortie.run("upload", server.url + "/", "a", "b")
        #expect(second.status == .exited(1) && second.errorOutput.contains("sortie: status: a: the server responded with 413"), "\(second)")
        #expect(second.errorOutput.contains("not started: b"))
        let dead = try DeadPort(.refusing)
        #expect(try await sortie.run("upload", dead.url, "a").failed(4, "connectionRefused"))
        let both = try await sortie.run("upload", dead.url + "/", "a", "b")
        withExtendedLifetime(dead) {}
        #expect(both.status == .exited(4))
        #expect(both.errorOutput.contains("0 of 2 files were sent"))
        #expect(both.errorOutput.contains("not started: b"))
    }

    @Test func `S2.63 --keep-going sends all files, lists those that are left, and --delete-confirmed deletes only the accepted ones`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer { $0.target == "/b" ? .status(503, "busy") : .ok() }
        for name in ["a", "b", "c"] { try sortie.write(name, name) }
        let run = try await sortie.run("upload", server.url + "/", "a", "b", "c", "--keep-going", "--delete-confirmed")
        #expect(run.status == .exited(1), "\(run)")
        #expect(server.requests.map(\.target) == ["/a", "/b", "/c"])
        #expect(run.errorOutput.contains("2 of 3 files were sent"))
        #expect(run.errorOutput.contains("left: b; run the command again with these files"))
        #expect(run.errorOutput.contains("removed \(sortie.work)/a\n"))
        #expect(try await sortie.shell("ls").output == "b\n")
        let kept = try await sortie.run("upload", server.url + "/", "b", "--keep-going")
        #expect(kept.status == .exited(1), "\(kept)")
        #expect(try await sortie.shell("ls").output == "b\n")
    }

    @Test func `S2.63 --delete-confirmed deletes no file that the command line does not name`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok())
        try sortie.write("a", "a")
        try sortie.write("other", "other")
        let run = try await sortie.run("upload", server.url, "a", "--field", "doc", "-F", "more=@other", "--delete-confirmed")
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(server.requests.isEmpty)
        let without = try await sortie.run("upload", "files/upload", "-w", try Sortie.demoWorkspace, "--delete-confirmed")
        #expect(without.failed(2, "usage"), "\(without)")
    }

    @Test(arguments: [
        [], ["a", "b"], ["a", "-d", "x"], ["a", "--limit-rate", "0"], ["a", "--parallel", "0"], ["-", "-"], ["a", "b", "-X", "POST", "-o", "x"],
    ])
    func `mistakes in the command line end with 2`(arguments: [String]) async throws {
        let sortie = try Sortie()
        for name in ["a", "b"] { try sortie.write(name, name) }
        let run = try await sortie.run(["upload", "http://127.0.0.1:9/f"] + arguments)
        #expect(run.failed(2, "usage"), "\(run)")
    }
}
