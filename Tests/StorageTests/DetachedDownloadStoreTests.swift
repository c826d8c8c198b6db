import Foundation
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the state of downloads that run in processes of their own.
@Suite struct DetachedDownloadStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: DetachedDownloadStore { DetachedDownloadStore(stateFolder: folder.path) }
    private var place: String { folder.path("sortie/downloads") }

    private func download(_ id: Int, file: String = "/d/f", startedAt: Double = 1000) -> DetachedDownload {
        DetachedDownload(
            id: id, target: "files/f", file: file, command: "sortie download files/f", startedAt: startedAt, startedWith: 7, state: "receiving")
    }

    @Test func `S2.65 a download runs while its process holds the lock, and is interrupted afterwards`() throws {
        var entry: DetachedDownloadStore.Entry? = try store.begin()
        #expect(entry?.id == 1)
        #expect(store.all().downloads.isEmpty, "nothing is stored before")
        try entry?.save(download(1))
        #expect(store.all().downloads.map(\.process) == [getpid()])
        #expect(store.all().downloads.map(\.isInterrupted) == [false])
        try store.forget(1)
        #expect(store.all().downloads.count == 1, "a running one is not forgotten")
        entry = nil
        #expect(store.all().downloads == [download(1)])
        #expect(store.all().downloads.map(\.text) == ["interrupted"])
        try store.forget(1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }

    @Test func `S2.65 the ID of a process that does not hold the lock is not that of a download`() throws {
        try store.begin().save(download(1))
        try "1".write(toFile: store.lock(of: 1), atomically: false, encoding: .utf8)
        #expect(store.process(of: 1) == nil)
        #expect(store.all().downloads.map(\.isInterrupted) == [true])
    }

    @Test func `S2.65 each download has its own number, and its files are private`() throws {
        let (first, second) = (try store.begin(), try store.begin())
        #expect(first.id == 1 && second.id == 2)
        try first.save(download(1))
        for name in ["1.json", "1.log", "1.lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o700)
        try second.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["1.json", "1.lock", "1.log"])
    }

    @Test(arguments: ["json", "log"]) func `S2.65 a link in place of a state file is refused, and its target is neither read nor changed`(
        ending: String
    ) throws {
        try store.begin().save(download(1))
        let target = try folder.write("target", "content")
        try FileManager.default.removeItem(atPath: "\(place)/1.\(ending)")
        try FileManager.default.createSymbolicLink(atPath: "\(place)/1.\(ending)", withDestinationPath: target)
        if ending == "json" {
            #expect(store.all().downloads.isEmpty && store.all().problems.map(\.code) == [.notPrivate])
        } else {
            #expect(throws: WorkspaceError.self) { try store.log(of: 1) }
        }
        #expect(try folder.read("target") == Array("content".utf8))
    }

    @Test func `S2.65 a complete download is listed for a day, and one with a part as long as that exists`() throws {
        let day = 86_400.0
        for (id, code) in [(1, Int32(0)), (2, 4), (3, 4)] {
            var ended = download(id, file: "/d/\(id)")
            ended.end = DetachedDownload.End(exitCode: code, bytes: 9, time: 2000)
            try store.begin().save(ended)
        }
        try store.begin().save(download(4, file: "/d/4", startedAt: 2000))
        let hasPart: (DetachedDownload) -> Bool = { $0.file != "/d/3" }
        try store.removeOld(at: 2000 + day, hasPart: hasPart)
        #expect(store.all().downloads.map(\.id) == [1, 2, 3, 4])
        try store.removeOld(at: 2001 + day, hasPart: hasPart)
        #expect(store.all().downloads.map(\.id) == [2, 4])
    }

    @Test func `S2.65 a download is passed to its process with the values of its prompts and variables`() throws {
        var endpoint = Endpoint(target: "files/f", name: "F", path: "/f?token={{token}}")
        endpoint.promptValues = ["Code": "1234"]
        let transfer = QueuedTransfer(endpoint, environment: "dev", destination: "/d/")
        let left = LeftDownload(transfer, overrides: ["token": "x"])
        #expect(LeftDownload(try left.bytes) == left)
        #expect(LeftDownload(Array("{}".utf8)) == nil)
    }

    @Test func `S2.65 what a program left before its download was stored is removed`() throws {
        _ = try store.begin()
        try store.removeOld(at: 0) { _ in false }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }
}
