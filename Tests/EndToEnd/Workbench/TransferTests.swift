import Foundation
import Support
import Testing

/// Tests downloads in the workbench: pausing, and resuming in the next program, also after a kill.
@Suite struct TransferTests {
    private static let file = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    /// Sends half of the file and then nothing until the client disconnects; later connections respond normally.
    private static func server() throws -> ScriptedServer {
        let common = "ETag: \"v1\"\r\nAccept-Ranges: bytes\r\n"
        let head = "HTTP/1.1 200 OK\r\n\(common)Content-Length: \(file.count)\r\n\r\n"
        let first = Script([.readRequest, .send(Array(head.utf8) + file.prefix(file.count / 2)), .wait(for: Gate())])
        let rest = Script.answering { request in
            guard let range = request["Range"], let start = Int(range.dropFirst("bytes=".count).dropLast()) else {
                return HTTPAnswer(status: 400, reason: "No range", headers: [])
            }
            return HTTPAnswer(
                status: 206, reason: "Partial",
                headers: [("ETag", "\"v1\""), ("Content-Range", "bytes \(start)-\(file.count - 1)/\(file.count)")], body: Array(file[start...]))
        }
        return try ScriptedServer([first, rest])
    }

    /// A workspace with one download into the folder `got`, which has received half of the file.
    private func bench(_ size: Bench.Size) async throws -> Bench {
        let server = try Self.server()
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/half.yaml", "name: Half\npath: \(server.url)/half.bin\nkind: download\ndownload: {to: ../../got/}\n")
        try sortie.write("got/readme", "downloads come here")
        let bench = Bench(terminal: try await sortie.open("ws", size: (size.columns, size.rows)), sortie: sortie, server: server)
        try await bench.see("Services", "Response", "Api")
        bench.send("Half")
        bench.terminal.type("T")
        try await bench.see("↓ Half", "50 %")
        return bench
    }

    /// Starts the program again with the same home folder; r resumes the download.
    private func resume(_ bench: Bench, _ size: Bench.Size) async throws {
        let next = Bench(terminal: try await bench.sortie.open("ws", size: (size.columns, size.rows)), sortie: bench.sortie, server: bench.server)
        try await next.see("1 transfer unfinished", "? ↓ Half")
        next.terminal.type("Tr")
        try await next.see("✓ ↓ Half", "100 %", "done")
        #expect(try bench.sortie.read("got/half.bin") == Self.file)
        try await next.quit()
        let last = Bench(terminal: try await bench.sortie.open("ws", size: (size.columns, size.rows)), sortie: bench.sortie, server: bench.server)
        try await last.see("Services", "Response")
        last.terminal.type("4")
        try await last.see("There are no transfers")
        try await last.quit()
    }

    @Test(arguments: Bench.sizes) func `a paused download is resumed in the next program`(size: Bench.Size) async throws {
        let bench = try await bench(size)
        bench.terminal.type("p")
        try await bench.see("⏸ ↓ Half", "paused")
        try await bench.quit()
        try await resume(bench, size)
    }

    @Test func `quitting requires confirmation and keeps the received bytes`() async throws {
        let bench = try await bench(.small)
        bench.press(.control("q"))
        try await bench.see("1 transfer in progress")
        bench.press(.down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        try await resume(bench, .small)
        #expect(bench.server?.requests.last?["Range"] == "bytes=1995904-")
    }

    @Test func `S2.65 a download that is left running ends without the workbench, and the next one lists it`() async throws {
        let bench = try await bench(.small)
        bench.press(.control("q"))
        try await bench.see("Leave 1 download running and quit")
        bench.press(.down, .down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(bench.terminal.screen.contains("1  \(bench.sortie.work)/got/half.bin"), "\(bench.terminal.screen)")
        let attached = try await bench.sortie.run("download", "attach", "1")
        #expect(attached.status == .exited(0), "\(attached)")
        #expect(try bench.sortie.read("got/half.bin") == Self.file)
        #expect(bench.server?.requests.last?["Range"] == "bytes=1995904-")
        let next = Bench(terminal: try await bench.sortie.open("ws", size: (80, 24)), sortie: bench.sortie, server: bench.server)
        try await next.see("Services", "Response", "Api")
        next.terminal.type("T")
        try await next.see("✓ ↓ half.bin", "detached: done")
        try await next.quit()
    }

    @Test func `a download is resumed after the program was killed`() async throws {
        let bench = try await bench(.large)
        bench.press(.enter)
        try await bench.see("saved on the disk")
        bench.terminal.signal(SIGKILL)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
        try await resume(bench, .large)
    }
}
