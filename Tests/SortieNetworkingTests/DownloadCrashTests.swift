import Foundation
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests crashes after each disk step: the next download ends with the server's bytes.
@Suite(.fewAtOnce) struct DownloadCrashTests {
    static let file = ServedFile(20_000_000)

    /// Copies of the folder after each step.
    private final class Snapshots: Sendable {
        let folder: TemporaryFolder
        private let seen = Mutex<[DiskStep: Int]>([:])

        /// The maximum number of copies of each step.
        private let most: Int

        init(most: Int) throws {
            folder = try TemporaryFolder()
            self.most = most
        }

        /// Copies the folder the first few times that a step is reached.
        func take(_ step: DiskStep, of path: String) {
            let count = seen.withLock { seen in
                seen[step, default: 0] += 1
                return seen[step, default: 0]
            }
            guard count <= most || count == 40 else { return }
            do {
                try FileManager.default.copyItem(atPath: path, toPath: folder.path("\(step.rawValue)-\(count)"))
            } catch { Issue.record("no picture after \(step): \(error)") }
        }
    }

    @Test(arguments: [(1, 1), (4, 4), (4, 1), (1, 4)])
    func `after a crash at any step the next download ends with the right bytes and repeats little`(connections: Int, next: Int) async throws {
        let server = try ScriptedServer(Self.file.honest)
        let isPlain = connections == 1 && next == 1
        let snapshots = try Snapshots(most: isPlain ? 3 : 1)
        // The path is the same in every copy, because the manifest contains it.
        let home = try TemporaryFolder()
        let path = home.path("d")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let bench = try DownloadBench(probe: { step in
            snapshots.take(step, of: path)
            return 0
        })
        let whole = try await bench.run(server.url + "/f", to: .file(path + "/f")) { $0.connections = connections }
        #expect(whole.result.error == nil)
        let pictures = try snapshots.folder.names
        #expect(Set(pictures.map { String($0.split(separator: "-")[0]) }) == Set(DiskStep.allCases.map(\.rawValue)))

        for picture in pictures {
            for losesCache in isPlain ? [false, true] : [true] {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.copyItem(atPath: snapshots.folder.path(picture), toPath: path)
                let safe = try Self.safe(in: path)
                // A power failure may lose bytes that were not synchronised; a killed program loses nothing.
                if losesCache, let safe { try Self.garble(path + "/f.part", except: safe) }
                let before = server.requests.count
                let run = try await DownloadBench().run(server.url + "/f", to: .file(path + "/f")) { $0.connections = next }
                #expect(run.result.error == nil, "\(picture)")
                #expect(try home.read("d/f") == Self.file.bytes, "\(picture)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["f"], "\(picture)")
                for request in server.requests[before...] {
                    let first = Int64(ServedFile.first(request) ?? 0)
                    // The last bytes are fetched again to compare them.
                    let isRepeated = safe?.contains { $0.lowerBound <= first && first < $0.upperBound - 4096 } == true
                    #expect(!isRepeated, "\(picture): what was safe is not fetched again")
                }
            }
        }
    }

    /// The bytes that the manifest lists as synchronised; nil without a manifest.
    private static func safe(in path: String) throws -> [Range<Int64>]? {
        guard FileManager.default.fileExists(atPath: path + "/f.part.json") else { return nil }
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/f.part.json")))
        guard let manifest = DownloadManifest(reading: bytes) else { return nil }
        return manifest.segments.isEmpty ? [0..<manifest.committed] : manifest.segments.map { $0.stretch.start..<$0.stretch.position }
    }

    private static func garble(_ path: String, except safe: [Range<Int64>]) throws {
        guard let handle = FileHandle(forUpdatingAtPath: path) else { return }
        defer { handle.closeFile() }
        let size = Int64(handle.seekToEndOfFile())
        for (stretch, next) in zip(safe, safe.dropFirst().map(\.lowerBound) + [size]) where next > stretch.upperBound {
            handle.seek(toFileOffset: UInt64(stretch.upperBound))
            handle.write(Data(count: Int(min(next, size) - stretch.upperBound)))
        }
    }

    // MARK: Intervals between saves

    @Test func `bytes that arrive during a save are saved although no more arrive`() async throws {
        let small = ServedFile(300_000)
        let (during, written) = (Gate(), DispatchSemaphore(value: 0))
        let server = try ScriptedServer([
            .readRequest, .send(small.whole.headBytes), .send(Array(small.bytes.prefix(100_000))), .wait(for: during),
            .send(Array(small.bytes[100_000..<200_000])), .holdOpen,
        ])
        let isFirst = Mutex(true)
        let bench = try DownloadBench(probe: { step in
            guard step == .synced,
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else { return 0 }
            // The first save has its bytes, and ends when the others are written.
            during.open()
            return written.wait(timeout: .now() + .seconds(300)) == .success ? 0 : EIO
        })
        let running = bench.downloads.start(try bench.download(server.url))
        try await withDeadline(.seconds(300), "all bytes to be saved") {
            for await event in running.events {
                switch event {
                case .progressed(let progress) where progress.received == 200_000: written.signal()
                case .saved(200_000): running.cancel()
                default: break
                }
            }
        }
        #expect(await running.result.state == .cancelled(keepsPart: true))
    }

    @Test(arguments: [(0, 250), (10, 250), (100, 800), (5000, 2000)] as [(UInt64, UInt64)])
    func `the faster the disk is, the more often the part is saved`(duration: UInt64, interval: UInt64) {
        #expect(DownloadWriter.interval(afterSaving: duration * 1_000_000) == interval * 1_000_000)
    }

    // MARK: A disk that fails

    @Test(arguments: [(DiskStep.wrote, ENOSPC), (.synced, EIO), (.wroteManifest, ENOSPC), (.renamedFile, EIO), (.syncedFolder, EIO)])
    func `a disk error fails the download, which is resumed when there is space again`(step: DiskStep, code: Int32) async throws {
        let server = try ScriptedServer(Self.file.honest)
        let home = try TemporaryFolder()
        let count = Mutex(0)
        let bench = try DownloadBench(probe: { reached in
            guard reached == step else { return 0 }
            return count.withLock { count in
                count += 1
                // The first write succeeds, so that some data exists; a fast download has the other steps once.
                return count > 1 || step == .renamedFile || step == .synced ? code : 0
            }
        })
        let run = try await bench.run(server.url + "/f", to: .file(home.path("f")))
        #expect(run.code == .storage, "\(run.result.state)")
        #expect(run.result.exchange.attempts.count == 1, "no other attempt helps a full disk")
        let again = try await DownloadBench().run(server.url + "/f", to: .file(home.path("f")))
        #expect(again.result.error == nil)
        #expect(try home.read("f") == Self.file.bytes)
    }

    // MARK: Existing files

    private func leftOver(_ home: TemporaryFolder, _ change: (inout DownloadManifest) -> Void = { _ in }) async throws -> ScriptedServer {
        let small = ServedFile(300_000)
        let server = try ScriptedServer([small.broken(after: 200_000), small.honest])
        let run = try await DownloadBench().run(server.url + "/f", to: .file(home.path("f"))) { $0.retryLimit = 0 }
        #expect(run.code == .truncatedBody)
        guard case .failed(_, isResumable: true) = run.result.state else {
            Issue.record("\(run.result.state)")
            return server
        }
        #expect(try home.names == ["f.part", "f.part.json"])
        return server
    }

    @Test func `S2.32 an existing part is continued by the next program`() async throws {
        let home = try TemporaryFolder()
        let server = try await leftOver(home)
        let run = try await DownloadBench().run(server.url + "/f", to: .file(home.path("f")))
        #expect(run.result.error == nil)
        #expect(run.result.resumedAt == 200_000)
        #expect(server.requests.last?["Range"] == "bytes=195904-")
        #expect(try home.read("f") == ServedFile(300_000).bytes)
    }

    @Test func `S2.32 by command it begins afresh`() async throws {
        let home = try TemporaryFolder()
        let server = try await leftOver(home)
        let run = try await DownloadBench().run(server.url + "/f", to: .file(home.path("f"))) { $0.beginsAfresh = true }
        #expect(run.result.resumedAt == 0)
        #expect(server.requests.last?["Range"] == nil)
        #expect(try home.read("f") == ServedFile(300_000).bytes)
    }

    @Test(arguments: ["manifest", "manifest of another program", "manifest gone", "tail", "short", "other URL"])
    func `a part that does not match is not continued`(damage: String) async throws {
        let home = try TemporaryFolder()
        let server = try await leftOver(home)
        var url = server.url + "/f"
        switch damage {
        case "manifest": try home.write("f.part.json", "{}")
        case "manifest of another program":
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.path("f.part.json"))
        case "manifest gone":
            try FileManager.default.removeItem(atPath: home.path("f.part.json"))
            let run = try await DownloadBench().run(url, to: .file(home.path("f")))
            #expect(run.code == .storage, "a file that may be anybody's is not overwritten")
            #expect(try home.read("f.part").count == 200_000)
            return
        case "tail":
            var bytes = try home.read("f.part")
            bytes[199_000] ^= 1
            try home.write("f.part", bytes)
        case "short": try home.write("f.part", Array(try home.read("f.part").prefix(100_000)))
        default: url = server.url + "/g"
        }
        let run = try await DownloadBench().run(url, to: .file(home.path("f")))
        #expect(run.result.error == nil)
        #expect(run.result.resumedAt == 0)
        #expect(server.requests.last?["Range"] == nil)
        #expect(try home.read("f") == ServedFile(300_000).bytes)
    }

    @Test func `bytes after the last synchronised one are truncated`() async throws {
        let home = try TemporaryFolder()
        let server = try await leftOver(home)
        try home.write("f.part", try home.read("f.part") + [UInt8](repeating: 0, count: 5000))
        let run = try await DownloadBench().run(server.url + "/f", to: .file(home.path("f")))
        #expect(run.result.resumedAt == 200_000)
        #expect(try home.read("f") == ServedFile(300_000).bytes)
    }

    @Test func `a secret in the query is not in the manifest`() async throws {
        let home = try TemporaryFolder()
        let small = ServedFile(300_000)
        let server = try ScriptedServer([small.broken(after: 200_000), small.honest])
        let url = server.url + "/f?whatever=s3cret&a=1"
        _ = try await DownloadBench().run(url, to: .file(home.path("f"))) {
            $0.retryLimit = 0
            $0.request.headers.append("Authorization", "Bearer s3cret")
        }
        #expect(!String(decoding: try home.read("f.part.json"), as: UTF8.self).contains("s3cret"))
        let attributes = try FileManager.default.attributesOfItem(atPath: home.path("f.part.json"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let run = try await DownloadBench().run(url, to: .file(home.path("f")))
        #expect(run.result.resumedAt == 200_000)
    }
}
