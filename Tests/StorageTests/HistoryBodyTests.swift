import Foundation
import HistoryModel
import SortieHTTP
import Support
import Testing

@testable import SortieStorage

/// Tests that bodies of the history are files that are stored once, and never without a row.
@Suite struct HistoryBodyTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        folder = try TemporaryFolder()
        store = HistoryStore.open(stateFolder: folder.path)
    }

    /// The files of bodies, without those of the folder itself.
    private var files: [String] {
        let all = FileManager.default.enumerator(atPath: "\(folder.path)/sortie/bodies")?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("/") || $0.hasPrefix(".new") }.sorted()
    }

    private func body(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

    @Test(arguments: [1, 4096, 4097, 70_000, 1 << 20, (1 << 20) + 1, 3 << 20]) func `a body of any size is read back`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }
        store.keep([try finishedCall(method: .post, requestBody: .bytes(bytes, contentType: "image/png"), body: bytes, contentType: "image/png")])
        let past = try #require(try store.newest())
        #expect(past.missingBody == nil && past.missingRequestBody == nil)
        #expect(past.exchange.response?.body.bytes(in: 0..<size + 1) == bytes)
        #expect(past.exchange.request.body == .bytes(bytes, contentType: "image/png"))
        #expect(files.count == (size > 4096 ? 1 : 0), "equal bodies are one file")
    }

    @Test func `the name of a body is synced with that of its folder, and also where its file exists`() throws {
        let synced = Watched<[String]>([])
        let bodies = BodyFolder(path: folder.path("names")) { path in
            synced.change { $0.append(path) }
            return 0
        }
        let hold = try bodies.holdForWriting()
        let bytes = body(67, 5000)
        func write() throws -> String? {
            guard case .file(let digest, _) = try bodies.write(BodyBytes(bytes), contentType: nil, redaction: Redaction()).content else { return nil }
            return digest
        }
        let digest = try #require(try write())
        #expect(try write() == digest)
        let file = bodies.file(digest)
        #expect(synced.current == ["\(folder.path("names"))/\(digest.prefix(2))", file, file])
        withExtendedLifetime(hold) {}
    }

    @Test func `a body whose name cannot be synced is an error`() throws {
        let bodies = BodyFolder(path: folder.path("names")) { _ in EIO }
        let hold = try bodies.holdForWriting()
        let error = #expect(throws: WorkspaceError.self) {
            try bodies.write(BodyBytes(body(67, 5000)), contentType: nil, redaction: Redaction())
        }
        #expect(error?.message.contains("input/output error") == true)
        withExtendedLifetime(hold) {}
    }

    @Test func `the parts of a form and the sent files are recorded`() throws {
        let path = try folder.write("a.txt", "hello")
        let parts: [RequestBody.Part] = [
            .init(name: "note", content: .bytes(Array("é1".utf8))), .init(name: "empty", content: .bytes([])),
            .init(name: "file", content: .file(path: path), fileName: "b.txt", contentType: "text/plain"),
            .init(name: "gone", content: .file(path: "/nowhere")), .init(name: "last", content: .bytes(body(66, 5000)), contentType: "text/x"),
        ]
        store.keep([
            try finishedCall(method: .post, requestBody: .multipart(parts)),
            try finishedCall(requestBody: .file(path: path, contentType: "text/plain")),
        ])
        let form = try #require(try store.past(1))
        #expect(form.exchange.request.body == .multipart(parts) && form.sentFiles.map(\.path) == [path])
        #expect(form.sentFiles[0].size == 5 && abs(form.sentFiles[0].modified - Date().timeIntervalSince1970) < 3600)
        #expect(try store.past(2)?.exchange.request.body == .file(path: path, contentType: "text/plain"))
    }

    @Test func `a body that was sent from standard input is missing, so that a replay does not send another one`() throws {
        let part = RequestBody.Part(name: "a", content: .file(path: "/dev/stdin"))
        for body in [.file(path: "/dev/stdin", contentType: nil), .multipart([part])] as [RequestBody] {
            store.keep([try finishedCall(method: .post, requestBody: body)])
            #expect(try store.newest()?.missingRequestBody == "it was sent while it was read from standard input")
        }
    }

    @Test func `a body larger than 100 MB is not stored, and this is recorded`() throws {
        let size = 100_000_001
        let memory = try #require(mmap(nil, size, PROT_READ, Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE), -1, 0))
        defer { munmap(memory, size) }
        final class Nobody: Sendable {}
        var call = try finishedCall()
        call.exchange.response?.body = BodyBytes(owner: Nobody(), pointer: UnsafeRawPointer(memory), count: size)
        store.keep([call])
        let past = try #require(try store.newest())
        #expect(
            past.exchange.response?.body.isEmpty == true && past.missingBody?.contains("100 MB") == true && past.item.receivedBytes == Int64(size))
    }

    @Test func `a download records the path of its body`() throws {
        var call = try finishedCall(body: [], kind: .download)
        call.file = "/tmp/orders.json"
        call.fileBytes = 12
        store.keep([call])
        let past = try #require(try store.newest())
        #expect(past.file == "/tmp/orders.json" && past.item.receivedBytes == 12 && past.item.kind == .download)
        #expect(past.missingBody == "it was saved to the file /tmp/orders.json")
    }

    @Test func `a download that did not finish has no file`() throws {
        var call = try finishedCall(body: [], kind: .download)
        call.exchange.error = NetworkError(.cancelled, "cancelled")
        call.file = "/tmp/orders.json"
        store.keep([call])
        let past = try #require(try store.newest())
        #expect(past.file == nil && past.missingBody == "its download to the file /tmp/orders.json did not finish")
    }

    @Test func `a missing body file is reported, and an open view stays valid`() throws {
        store.keep([try finishedCall(body: body(65, 10_000), contentType: "text/plain")])
        let open = try #require(try store.newest()?.exchange.response?.body)
        try FileManager.default.removeItem(atPath: "\(folder.path)/sortie/bodies/\(try #require(files.first))")
        let past = try #require(try store.newest())
        #expect(past.exchange.response?.body.isEmpty == true && past.missingBody?.contains("is missing") == true)
        #expect(open.bytes(in: 0..<open.count) == body(65, 10_000))
    }

    @Test func `a body of two exchanges is removed with the last of them`() throws {
        store.keep(try (1...2).map { _ in try finishedCall(body: body(65, 10_000), contentType: "text/plain") })
        #expect(files.count == 1)
        try store.delete([1])
        #expect(files.count == 1)
        #expect(try store.past(2)?.missingBody == nil)
        try store.delete([2])
        #expect(files == [])
    }

    @Test func `unreferenced files are removed, and referenced ones are kept`() throws {
        store.keep([try finishedCall(body: body(65, 10_000), contentType: "text/plain")])
        let kept = files
        let digest = String(repeating: "a", count: 64)
        try folder.write("sortie/bodies/aa/\(digest)", "orphan")
        try folder.write("sortie/bodies/.new-1-2", "half")
        let pruning = try store.prune(HistoryRetention())
        #expect(pruning == HistoryPruning(rows: 0, bodies: 1, bytes: 6))
        #expect(files == kept)
    }

    @Test func `nothing is removed while another program writes`() throws {
        store.keep([try finishedCall(body: body(65, 10_000), contentType: "text/plain")])
        try folder.write("sortie/bodies/.new-1-2", "half")
        let descriptor = Foundation.open("\(folder.path)/sortie/bodies/.lock", O_RDWR | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_SH) == 0)
        _ = try store.prune(HistoryRetention())
        #expect(files.contains(".new-1-2"))
        // Not only closed: a child of another test that is being started may have a copy of the descriptor.
        #expect(flock(descriptor, LOCK_UN) == 0)
        close(descriptor)
        _ = try store.prune(HistoryRetention())
        #expect(!files.contains(".new-1-2"))
    }

    // MARK: Retention

    @Test func `old exchanges are removed, pinned ones are kept`() throws {
        let now = Date().timeIntervalSince1970
        store.keep([try finishedCall(at: now - 5000), try finishedCall(at: now - 4000), try finishedCall(at: now - 10)])
        try store.setPinned([1], true)
        #expect(try store.prune(HistoryRetention(age: 3600)).rows == 1)
        #expect(try store.page(HistoryQuery()).items.map(\.number) == [3, 1])
    }

    @Test func `the oldest exchanges beyond the limit are removed`() throws {
        store.keep(try (1...20).map { _ in try finishedCall("http://127.0.0.1:8080/abcde") })
        try store.setPinned([2], true)
        #expect(try store.prune(HistoryRetention(count: 5)).rows == 14)
        // Pinned exchanges do not count.
        #expect(try store.page(HistoryQuery()).items.map(\.number) == [20, 19, 18, 17, 16, 2])
        #expect(try store.count(HistoryFilter([.init(.words("abcde", .anywhere))]), upTo: 100) == 6)
        #expect(try store.prune(HistoryRetention(count: 0)).rows == 5)
    }

    @Test func `bodies do not exceed their limit`() throws {
        store.keep(try (1...10).map { try finishedCall(body: body(UInt8($0), 10_000), contentType: "image/png") })
        store.keep(try (1...2).map { _ in try finishedCall(body: body(1, 10_000), contentType: "image/png") })
        let pruning = try store.prune(HistoryRetention(bytes: 35_000))
        // The first body is also that of the last two, so it is kept.
        #expect(try store.page(HistoryQuery()).items.map(\.number) == [12, 11, 10, 9])
        #expect(pruning == HistoryPruning(rows: 8, bodies: 7, bytes: 70_000))
        #expect(files.filter { $0.contains("/") }.count == 3)
    }

    @Test func `pinned exchanges do not count against the limit of bodies`() throws {
        store.keep(try (1...10).map { try finishedCall(body: body(UInt8($0), 10_000), contentType: "image/png") })
        // These share their bodies with pinned ones, so that deleting them would free no space.
        store.keep(try (1...2).map { try finishedCall(body: body(UInt8($0), 10_000), contentType: "image/png") })
        try store.setPinned([1, 2, 3, 4], true)
        #expect(try store.prune(HistoryRetention(bytes: 60_000)) == HistoryPruning())
        #expect(try store.prune(HistoryRetention(bytes: 45_000)) == HistoryPruning(rows: 2, bodies: 2, bytes: 20_000))
        #expect(try store.page(HistoryQuery()).items.map(\.number) == [12, 11, 10, 9, 8, 7, 4, 3, 2, 1])
    }

    @Test func `exchanges that share a body are removed together, and this is reported once`() throws {
        store.keep(try (1...1200).map { _ in try finishedCall(body: body(1, 10_000), contentType: "image/png") })
        let told = Watched(0)
        store.watch { change in if case .written = change { told.change { $0 += 1 } } }
        #expect(try store.prune(HistoryRetention(bytes: 9000)) == HistoryPruning(rows: 1200, bodies: 1, bytes: 10_000))
        #expect(told.current == 1)
    }

    @Test func `the space of removed exchanges is released`() throws {
        var random = SeededGenerator(seed: 1)
        store.keep(
            try (1...200).map { number in
                try finishedCall("http://127.0.0.1:8080/\(number)", body: (0..<4000).map { _ in .random(in: 97...122, using: &random) })
            })
        let file = "\(folder.path)/sortie/history.sqlite"
        _ = try store.prune(HistoryRetention())
        let before = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        _ = try store.prune(HistoryRetention(count: 1))
        let after = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        #expect(after < before / 2, "\(before) bytes, then \(after)")
    }
}
