import Foundation
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests the disk while a download runs: the delay until bytes are synchronised, and the effects of full disks and other programs.
@Suite(.fewAtOnce) struct DownloadDiskTests {
    static let file = ServedFile(300_000)

    /// A connection that sends `count` bytes of the file, waits at `gate`, and sends the rest.
    private static func held(_ file: ServedFile = file, after count: Int, at gate: Gate) -> Script {
        [
            .readRequest, .send(file.whole.headBytes), .send(Array(file.bytes.prefix(count))), .wait(for: gate),
            .send(Array(file.bytes.dropFirst(count))),
            // The connection may be reused for the next attempt, which this script does not answer.
            .closeGracefully,
        ]
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    // MARK: Checkpoints

    @Test func `S0.12 the first bytes are synchronised early, also when no more arrive`() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let server = try ScriptedServer(Self.held(after: 100_000, at: gate))
        let running = bench.downloads.start(try bench.download(server.url))
        let saved = Watched<Int64?>(nil)
        Task {
            for await event in running.events {
                if case .saved(let bytes) = event { saved.change { $0 = $0 ?? bytes } }
            }
        }
        let bytes = try await saved.wait("the first checkpoint", within: .seconds(300)) { $0 }
        #expect(bytes == 100_000)
        #expect(try DownloadManifest(reading: bench.folder.read("out.part.json"))?.committed == 100_000, "so much is left after a kill")
        gate.open()
        #expect(await running.result.state == .done)
    }

    // MARK: Full disks

    @Test func `S2.33 a full disk during a download of unknown length loses only a few bytes`() async throws {
        let file = ServedFile(2_000_000)
        var whole = file.whole
        whole.framing = .chunked(size: 50_000, trailers: [])
        let server = try ScriptedServer([.answering([whole]), file.honest])
        let home = try TemporaryFolder()
        let part = home.path("f.part")
        let fullAt = Mutex<Int?>(nil)
        let bench = try DownloadBench { step in
            fullAt.withLock { fullAt in
                let size = Self.size(of: part)
                switch step {
                case .wrote:
                    guard size >= 1_000_000 else { return 0 }
                    fullAt = fullAt ?? size
                    return ENOSPC
                // There is space for a manifest where the part file gives up more than the bytes that did not fit.
                case .wroteManifest: return fullAt.map { size > $0 - 300_000 ? ENOSPC : 0 } ?? 0
                default: return 0
                }
            }
        }
        let run = try await bench.run(server.url + "/f", to: .file(home.path("f")))
        #expect(run.code == .storage)
        guard case .failed(_, isResumable: true) = run.result.state else {
            Issue.record("\(run.result.state)")
            return
        }
        let again = try await DownloadBench().run(server.url + "/f", to: .file(home.path("f")))
        #expect(again.result.error == nil)
        #expect(again.result.resumedAt > 600_000)
        #expect(server.requests.last?["Range"] == "bytes=\(again.result.resumedAt - 4096)-")
        #expect(try home.read("f") == file.bytes)
    }

    // MARK: Other programs

    @Test func `a part that another program truncates during writing does not become a file with a hole`() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let server = try ScriptedServer([Self.held(after: 200_000, at: gate), Self.file.honest])
        let running = bench.downloads.start(try bench.download(server.url))
        var restarts: [RestartReason] = []
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 200_000 {
                #expect(truncate(bench.place + ".part", 1000) == 0)
                gate.open()
            }
            if case .changed(.restarting(let reason)) = event { restarts.append(reason) }
        }
        let result = await running.result
        #expect(result.state == .done)
        #expect(restarts == [.damagedPart])
        #expect(try bench.folder.read("out") == Self.file.bytes)
    }

    @Test func `a part that is truncated after the last byte restarts the download`() async throws {
        let home = try TemporaryFolder()
        let part = home.path("f.part")
        let isCut = Mutex(false)
        let bench = try DownloadBench { step in
            if step == .wrote, Self.size(of: part) == Self.file.bytes.count {
                isCut.withLock { isCut in
                    if !isCut { truncate(part, 5) }
                    isCut = true
                }
            }
            return 0
        }
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url, to: .file(home.path("f")))
        #expect(run.result.error == nil)
        #expect(run.restarts == [.damagedPart])
        #expect(try home.read("f") == Self.file.bytes)
    }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test(arguments: ["cut", "removed", "replaced"]) func `a part that was replaced never gets the name of the file`(damage: String)
        async throws
    {
        let home = try TemporaryFolder()
        let part = home.path("f.part")
        let isDone = Mutex(false)
        let bench = try DownloadBench { step in
            // The manifest that marks the file as complete was just written, and the rename follows. An ordinary checkpoint may also come when
            // all bytes are present.
            guard step == .renamedManifest, Self.text(of: part + ".json").contains("finalising") else { return 0 }
            isDone.withLock { isDone in
                guard !isDone else { return }
                isDone = true
                if damage == "cut" { truncate(part, 5) } else { unlink(part) }
                if damage == "replaced" { _ = FileManager.default.createFile(atPath: part, contents: Data("others".utf8)) }
            }
            return 0
        }
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url, to: .file(home.path("f")))
        #expect(run.code == .storage)
        #expect(!FileManager.default.fileExists(atPath: home.path("f")))
        guard case .failed(_, isResumable: false) = run.result.state else {
            Issue.record("\(run.result.state)")
            return
        }
    }

    @Test func `a part that is removed during writing ends the download with a message`() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let server = try ScriptedServer(Self.held(after: 200_000, at: gate))
        let running = bench.downloads.start(try bench.download(server.url))
        for await event in running.events {
            if case .progressed(let progress) = event, progress.received == 200_000 {
                #expect(unlink(bench.place + ".part") == 0)
                gate.open()
            }
        }
        let result = await running.result
        #expect(result.error?.code == .storage)
        #expect(result.error?.message.contains("another program removed") == true)
        #expect(!(try bench.folder.names.contains("out")))
    }
}
