import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests the destinations of files: never outside the folder of the download, whatever a server or a manifest specifies.
@Suite(.fewAtOnce) struct DownloadPlaceTests {
    static let file = ServedFile(300_000)

    /// A folder in a folder with a file that must not change.
    private func home() throws -> TemporaryFolder {
        let home = try TemporaryFolder()
        try home.write("pwned", "mine")
        try home.write("d/e/readme", "downloads come here")
        return home
    }

    @Test(arguments: [246, 250, 255])
    func `a name as long as file systems permit has a part with a shorter name, which continues`(length: Int) async throws {
        let name = String(repeating: "n", count: length)
        let server = try ScriptedServer([.answering([.claiming(length: 300_000, "0123456789")]), Self.file.honest])
        let bench = try DownloadBench()
        let place = bench.folder.path(name)
        let cut = try await bench.run(server.url, to: .file(place)) { $0.retryLimit = 0 }
        #expect(cut.result.error?.code == .truncatedBody || cut.result.error?.code == .connectionLost, "\(cut.result)")
        #expect(try bench.folder.names.allSatisfy { $0 == "spool" || $0.utf8.count < 250 })
        #expect(Downloads.left(of: place)?.received == cut.result.bytes)
        try Downloads.discard(place)
        let whole = try await bench.run(server.url, to: .file(place))
        #expect(whole.result.error == nil && whole.result.file == place)
        #expect(try bench.folder.names.filter { $0 != "spool" } == [name])
    }

    private func expectUntouched(_ home: TemporaryFolder, _ hint: Comment) throws {
        #expect(try home.names == ["d", "pwned"], hint)
        #expect(try home.read("pwned") == Array("mine".utf8), hint)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("d")) == ["e"], hint)
    }

    @Test(arguments: ["%2F%E2%80%8D..%2F%E2%80%8Dpwned", "%2F%E2%80%8D..%2F%E2%80%8D..%2F%E2%80%8Dpwned", "..%2F%CC%81pwned", "..%5C%E2%80%8Dpwned"])
    func `S2.37 a server's file name with invisible characters beside its slashes stays in the folder`(name: String) async throws {
        let home = try home()
        let named = Self.file.whole.with("Content-Disposition", "attachment; filename*=UTF-8''\(name)")
        let server = try ScriptedServer([.answering([named]), Self.file.honest])
        let byField = try await DownloadBench().run(server.url + "/a", to: .folder(home.path("d/e"))) { $0.collision = .replace }
        let byURL = try await DownloadBench().run(server.url + "/x/" + name, to: .folder(home.path("d/e"))) { $0.collision = .replace }
        for run in [byField, byURL] {
            #expect(run.result.error == nil)
            #expect(URL(fileURLWithPath: run.result.file).deletingLastPathComponent().path == home.path("d/e"))
        }
        try expectUntouched(home, "\(name)")
    }

    @Test(arguments: [
        ("a", "is a link that leads back to itself", "choose another file"), ("file/x", "not a directory", "choose a writable folder"),
        ("missing/x", "no such file or directory", "choose a writable folder"),
        (String(repeating: "n", count: 256), "file name too long", "choose another file"),
    ]) func `a destination where no file can be is an error with a remedy, and nothing is replaced`(name: String, reason: String, hint: String)
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write("file", "mine")
        for (link, target) in [("a", "b"), ("b", "a")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        let server = try ScriptedServer(Self.file.honest)
        let run = try await DownloadBench().run(server.url + "/f", to: .file(folder.path(name))) { $0.collision = .replace }
        #expect(run.result.error?.code == .storage && run.result.error?.hint == hint, "\(String(describing: run.result.error))")
        #expect(run.result.error?.message.contains(reason) == true, "\(String(describing: run.result.error))")
        #expect(try folder.names == ["a", "b", "file"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("a")) == "b" && folder.read("file") == Array("mine".utf8))
    }

    /// Creates a part file with a manifest that names another file.
    private func forge(_ download: Download, _ destination: String) throws -> DownloadPlace {
        let place = try DownloadPlace(download)
        let bytes = Array("forged".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: place.part))
        let part = try #require(try PartFile.open(place.part, creates: false) { _ in 0 })
        var manifest = DownloadManifest(key: place.key, url: download.request.url.description, destination: destination, now: 1)
        (manifest.total, manifest.committed, manifest.stage) = (6, 6, .finalising)
        manifest.tailHash = try part.tailHash(before: 6)
        try ManifestFile(path: place.manifest) { _ in 0 }.store(manifest)
        return place
    }

    @Test(arguments: ["../../pwned", "../e/../../pwned", "/pwned", "x", "f/../../../pwned"])
    func `a manifest that names another file is ignored, and no file is renamed without a request`(path: String) async throws {
        let home = try home()
        let server = try ScriptedServer(Self.file.honest)
        let bench = try DownloadBench()
        let folder = home.path("d/e")
        let forged = path.hasPrefix("/") ? home.path(String(path.dropFirst())) : "\(folder)/\(path)"
        let download = try bench.download(server.url + "/f", to: .file(folder + "/f")) { $0.collision = .replace }
        _ = try forge(download, forged)
        let run = try await bench.run(server.url + "/f", to: .file(folder + "/f")) { $0.collision = .replace }
        #expect(run.result.error == nil)
        #expect(run.decisions.contains(RestartReason.otherDestination.text))
        #expect(server.requests.count == 1)
        #expect(try home.read("d/e/f") == Self.file.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["f", "readme"])
        try expectUntouched(home, "\(path)")
    }

    @Test(arguments: [("../../pwned", false), (".bashrc", false), ("named.bin", true)])
    func `a server's file name in a manifest is accepted only where the server may specify it`(name: String, isTaken: Bool) async throws {
        let home = try home()
        let server = try ScriptedServer(Self.file.honest)
        let bench = try DownloadBench()
        let download = try bench.download(server.url + "/f", to: .folder(home.path("d/e")))
        _ = try forge(download, home.path("d/e/") + name)
        let run = try await bench.run(server.url + "/f", to: .folder(home.path("d/e")))
        #expect(run.result.error == nil)
        #expect(run.result.file == home.path(isTaken ? "d/e/named.bin" : "d/e/f"))
        #expect(server.requests.isEmpty == isTaken)
        try expectUntouched(home, "\(name)")
    }

    @Test func `a part is never renamed into another folder`() throws {
        let home = try home()
        let part = try #require(try PartFile.open(home.path("d/e/f.part"), creates: true) { _ in 0 })
        for path in [home.path("pwned"), home.path("d/e/../../pwned"), home.path("d/e/.."), "pwned"] {
            #expect(throws: NetworkError.self, "\(path)") { try part.rename(to: path, replaces: true) }
        }
        try FileManager.default.removeItem(atPath: home.path("d/e/f.part"))
        try expectUntouched(home, "the last component is a name")
    }

    @Test func `a name with a null byte is rejected, because the system would truncate it`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        let run = try await bench.run(server.url, to: .file(bench.folder.path("a\u{0}b")))
        #expect(run.code == .storage)
        #expect(try bench.folder.names.filter { $0 != "spool" }.isEmpty)
    }

    @Test func `a number that an earlier program added is recognised`() async throws {
        let home = try home()
        let server = try ScriptedServer(Self.file.honest)
        let bench = try DownloadBench()
        try home.write("d/e/f.bin", "old")
        let download = try bench.download(server.url + "/f", to: .file(home.path("d/e/f.bin")))
        _ = try forge(download, home.path("d/e/f (1).bin"))
        try home.write("d/e/f (1).bin", "another")
        let run = try await bench.run(server.url + "/f", to: .file(home.path("d/e/f.bin"))) { $0.collision = .keepBoth }
        #expect(run.result.file == home.path("d/e/f (2).bin"))
        #expect(try home.read("d/e/f (1).bin") == Array("another".utf8))
    }

    @Test func `the longest name gets a number, with space for its part and manifest`() async throws {
        let bench = try DownloadBench()
        let name = String(repeating: "n", count: 300) + ".bin"
        let server = try ScriptedServer(Self.file.honest)
        var files: [String] = []
        for _ in 0..<3 { files.append(try await bench.run("\(server.url)/\(name)", to: .folder(bench.folder.path)).result.file) }
        #expect(Set(files).count == 3)
        for file in files { #expect(FileManager.default.contents(atPath: file).map { Array($0) } == Self.file.bytes) }
        let held = try ScriptedServer([.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(1000))), .expectClose])
        let running = [0, 1].map { _ in bench.downloads }
        var downloads: [DownloadTask] = []
        for (index, owner) in running.enumerated() {
            let next = owner.start(try bench.download("\(held.url)/\(name)?\(index)", to: .folder(bench.folder.path)))
            _ = try await held.waitForRequests(index + 1)
            downloads.append(next)
        }
        for download in downloads { download.cancel(keepsPart: false) }
        for download in downloads { #expect(await download.result.state == .cancelled(keepsPart: false), "two parts of one name, both with room") }
    }
}
