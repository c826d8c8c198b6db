import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import Support
import Synchronization
import Testing

@testable import SortieStorage

/// Tests problems of the history file: the program works, reports a remedy, and loses no existing data.
@Suite struct HistoryTroubleTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("sortie/history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func open() -> HistoryStore { HistoryStore.open(stateFolder: folder.path) }

    /// Verifies that the store works in memory, and that its file is unchanged.
    private func expectMemory(_ store: HistoryStore, _ words: String) throws {
        #expect(store.problem?.message.contains(words) == true, "\(store.problem?.message ?? "no problem")")
        #expect(store.problem?.message.contains("keeps its exchanges in memory") == true)
        store.keep([try finishedCall(body: Array(repeating: 65, count: 50_000), contentType: "text/plain")])
        #expect(try store.page(HistoryQuery()).items.count == 1)
        #expect(try store.newest()?.exchange.response?.body.count == 50_000)
        try store.setNote(1, "x")
        try store.delete([1])
        _ = try store.prune(.standard)
        store.tidy()
        #expect(try store.count(HistoryFilter(), upTo: 10) == 0)
    }

    @Test func `a file that is not a database is not changed`() throws {
        let text = String(repeating: "these are notes of somebody else\n", count: 100)
        try folder.write("sortie/history.sqlite", text)
        let store = open()
        try expectMemory(store, "not a database")
        #expect(store.problem?.message.contains("move history.sqlite, history.sqlite-wal, history.sqlite-shm and the folder bodies") == true)
        #expect(try String(decoding: folder.read("sortie/history.sqlite"), as: UTF8.self) == text)
    }

    @Test func `a folder in place of the file is not changed`() throws {
        try folder.write("sortie/history.sqlite/notes", "x")
        try expectMemory(open(), "it is a folder")
        #expect(try folder.read("sortie/history.sqlite/notes") == Array("x".utf8))
    }

    @Test func `a file in place of the folder is not changed`() throws {
        try folder.write("sortie", "x")
        try expectMemory(open(), "cannot be created: file exists")
        #expect(try folder.read("sortie") == Array("x".utf8))
    }

    @Test func `a history of a newer version is not changed`() throws {
        open().keep([try finishedCall()])
        do {
            let queue = try otherProgram(path)
            try queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of the future')") }
        }
        try expectMemory(open(), "newer version of Sortie")
        let queue = try otherProgram(path)
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM exchange") } == 1)
    }

    @Test func `a history of an older version is not changed`() throws {
        open().keep([try finishedCall()])
        do {
            let queue = try otherProgram(path)
            try queue.write { db in try db.execute(sql: "UPDATE grdb_migrations SET identifier = '3 identity'") }
        }
        let store = open()
        try expectMemory(store, "older version of Sortie")
        #expect(store.problem?.message.contains("move history.sqlite, history.sqlite-wal, history.sqlite-shm and the folder bodies") == true)
        #expect(HistoryDatabase.readOnly(path) == nil)
        let queue = try otherProgram(path)
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM exchange") } == 1)
    }

    @Test func `a history that was made in steps before the first release is opened`() throws {
        open().keep([try finishedCall()])
        do {
            let queue = try otherProgram(path)
            try queue.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('1 exchanges'), ('2 annotations'), ('3 identity'), ('4 formats')")
            }
        }
        let store = open()
        #expect(store.problem == nil)
        store.keep([try finishedCall()])
        #expect(try store.page(HistoryQuery()).items.map(\.number) == [2, 1] && store.past(1) != nil)
        #expect(HistoryDatabase.readOnly(path) != nil)
    }

    @Test func `later damage is reported, and the program continues`() throws {
        do {
            let store = open()
            store.keep(try (1...100).map { try finishedCall("http://127.0.0.1:8080/\($0)", body: Array(repeating: 65, count: 3000)) })
            // Moves everything from the write-ahead log into the file.
            _ = try store.prune(HistoryRetention())
        }
        var bytes = try folder.read("sortie/history.sqlite")
        #expect(bytes.count > 100 * 4096)
        for offset in (bytes.count / 4)..<bytes.count { bytes[offset] = 0x5a }
        try folder.write("sortie/history.sqlite", bytes)
        let store = open()
        let told = Watched<[WorkspaceError]>([])
        store.watch { change in if case .failed(let error) = change { told.change { $0.append(error) } } }
        var found: [WorkspaceError] = []
        for number in 1...100 { do { _ = try store.past(Int64(number)) } catch { found.append(error) } }
        for _ in 0..<3 { store.keep([try finishedCall()]) }
        #expect(found.first?.message.contains("damaged") == true)
        #expect(told.current.count <= 1 && told.current.allSatisfy { $0.message.contains("damaged") })
        #expect(try folder.read("sortie/history.sqlite").suffix(100).allSatisfy { $0 == 0x5a })
    }

    @Test func `on a full disk rows wait, the failure is reported once, and they are written when there is space`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("sortie"), withIntermediateDirectories: true)
        let store = HistoryStore(path: path, database: .open(path), retention: .standard)
        #expect(store.problem == nil)
        let told = Watched<[WorkspaceError]>([])
        store.watch { change in if case .failed(let error) = change { told.change { $0.append(error) } } }
        store.keep([try finishedCall()])
        func limit(_ pages: String) throws {
            try store.database.writer?.writeWithoutTransaction { db in _ = try Row.fetchAll(db, sql: "PRAGMA max_page_count = \(pages)") }
        }
        try limit("1")
        for number in 0..<20 { store.keep([try finishedCall("http://127.0.0.1:8080/\(number)", body: Array(repeating: 65, count: 4000))]) }
        #expect(told.current.map(\.code) == [.unwritable] && told.current[0].message.contains("full"))
        let before = try store.count(HistoryFilter(), upTo: 100)
        #expect(before < 21)
        try limit("1000000")
        store.keep([try finishedCall()])
        #expect(try store.count(HistoryFilter(), upTo: 100) == 22)
        #expect(try store.number(of: "last") == 22)
    }

    @Test func `while another program locks the history, rows wait and can be read, and this is reported`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("sortie"), withIntermediateDirectories: true)
        let database = HistoryDatabase.open(path) { db in _ = try Row.fetchAll(db, sql: "PRAGMA busy_timeout = 20") }
        let store = HistoryStore(path: path, database: database, retention: .standard)
        let told = Watched<[WorkspaceError]>([])
        store.watch { change in if case .failed(let error) = change { told.change { $0.append(error) } } }
        store.keep([try finishedCall()])
        let other = try otherProgram(path)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            store.keep([try finishedCall()])
            #expect(told.current.count == 1 && told.current[0].message.contains("locked by another program"))
            #expect(open().problem == nil, "a further program waits for nobody")
            let error = #expect(throws: WorkspaceError.self) { try store.setNote(1, "x") }
            #expect(error?.message.contains("locked by another program") == true)
            #expect(try store.page(HistoryQuery()).items.map(\.number) == [1])
            try db.execute(sql: "ROLLBACK")
        }
        store.keep([try finishedCall()])
        #expect(try store.page(HistoryQuery()).items.map(\.number) == [3, 2, 1])
    }

    @Test func `a read-only history is read, and changes are rejected with the reason`() throws {
        open().keep([try finishedCall("http://127.0.0.1:8080/old", body: Array(repeating: 65, count: 10_000), contentType: "text/plain")])
        let problem = HistoryTrouble.opening(
            path, HistoryTrouble.system(EROFS), instead: "existing exchanges can be read, and new ones are not added")
        let reader = try #require(HistoryDatabase.readOnly(path))
        let store = HistoryStore(
            path: path, database: HistoryDatabase(mode: .reading, reader: reader, writer: nil, problem: problem), retention: .standard)
        store.watch { _ in }
        store.keep([try finishedCall()])
        #expect(try store.paths(.init(.words("old", .url))) == ["/old"])
        #expect(try store.past(1)?.exchange.response?.body.count == 10_000)
        for change in [{ try store.delete([1]) }, { try store.setNote(1, "x") }, { _ = try store.prune(HistoryRetention(count: 0)) }] {
            let error = #expect(throws: WorkspaceError.self) { try change() }
            #expect(error?.message.contains("read-only file system") == true)
        }
        store.tidy()
        #expect(try store.count(HistoryFilter(), upTo: 10) == 1)
    }

    @Test func `rows without a writable body record that, and it is reported once`() throws {
        try folder.write("sortie/bodies", "x")
        let store = open()
        let told = Watched(0)
        store.watch { change in if case .failed = change { told.change { $0 += 1 } } }
        store.keep([
            try finishedCall(body: Array(repeating: 65, count: 10_000), contentType: "text/plain"), try finishedCall(),
            try finishedCall(body: Array(repeating: 65, count: 2 << 20), contentType: "text/plain"),
        ])
        #expect(try store.past(1)?.missingBody?.contains("cannot be written") == true && store.past(2)?.missingBody == nil)
        #expect(try store.past(3)?.missingBody?.contains("cannot be written") == true)
        store.keep([try finishedCall(body: Array(repeating: 65, count: 10_000), contentType: "text/plain")])
        #expect(told.current == 1)
        #expect(try folder.read("sortie/bodies") == Array("x".utf8))
    }

    @Test func `a new history beside the bodies of another one removes none of them`() throws {
        let call = try finishedCall(body: Array(repeating: 65, count: 10_000), contentType: "text/plain")
        open().keep([call])
        let bodies = try FileManager.default.subpathsOfDirectory(atPath: folder.path("sortie/bodies")).filter { $0.utf8.count > 60 }
        #expect(bodies.count == 1)
        func there(_ file: String) -> Bool { FileManager.default.fileExists(atPath: folder.path("sortie/bodies/\(file)")) }
        // With the name of the previous file, and as a folder of a version without names.
        for isNamed in [true, false] {
            for name in ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm"]
            where FileManager.default.fileExists(atPath: folder.path("sortie/\(name)")) {
                try FileManager.default.moveItem(atPath: folder.path("sortie/\(name)"), toPath: folder.path("sortie/old-\(isNamed)-\(name)"))
            }
            if !isNamed { try FileManager.default.removeItem(atPath: folder.path("sortie/bodies/.id")) }
            let store = open()
            store.keep([call, try finishedCall(body: Array(repeating: 66, count: 10_000), contentType: "text/plain")])
            try store.delete([1])
            #expect(try store.prune(HistoryRetention()) == HistoryPruning())
            #expect(there(bodies[0]))
            #expect(try store.newest()?.exchange.response?.body.count == 10_000)
        }
    }

    @Test func `while the bodies are locked, rows are stored without them, and this is reported once`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("sortie/bodies"), withIntermediateDirectories: true)
        let store = HistoryStore(path: path, database: .open(path), retention: .standard, patience: 0.02)
        let told = Watched<[WorkspaceError]>([])
        store.watch { change in if case .failed(let error) = change { told.change { $0.append(error) } } }
        let descriptor = Foundation.open(folder.path("sortie/bodies/.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let large = try finishedCall(body: Array(repeating: 65, count: 10_000), contentType: "text/plain")
        for _ in 0..<2 { store.keep([large, try finishedCall()]) }
        #expect(told.current.count == 1 && told.current[0].message.contains("another program holds the folder's lock"))
        #expect(try store.past(1)?.missingBody != nil && store.past(2)?.missingBody == nil)
        // Not only closed: a child of another test that is being started may have a copy of the descriptor.
        #expect(flock(descriptor, LOCK_UN) == 0)
        close(descriptor)
        store.keep([large])
        #expect(try store.newest()?.missingBody == nil)
    }

    @Test func `bodies beyond the write queue are left out, and nothing else is lost`() throws {
        let store = open()
        store.state.withLock { $0.count += HistoryStore.waitingCount }
        let form = RequestBody.bytes(Array("a=1".utf8), contentType: nil)
        store.keep([
            try finishedCall(body: Array("hello".utf8), contentType: "text/plain"),
            try finishedCall(method: .post, status: 204, requestBody: form, body: []),
        ])
        let get = try #require(try store.past(1))
        #expect(get.missingRequestBody == nil && get.missingBody?.contains("exchanges arrived faster") == true && get.item.receivedBytes == 5)
        let post = try #require(try store.past(2))
        #expect(post.missingRequestBody?.contains("exchanges arrived faster") == true && post.missingBody == nil && post.item.receivedBytes == 0)
    }

    @Test func `a caller that waits for room loses no body`() throws {
        let store = open()
        let limit = 2 << 20
        store.state.withLock { $0.byteLimit = limit }
        for _ in 0..<3 {
            let form = RequestBody.bytes(Array(repeating: 65, count: limit / 2 + 1), contentType: nil)
            store.record(try finishedCall(method: .post, requestBody: form), workspace: nil, redaction: .standard, waitsForRoom: true)
        }
        store.flush()
        for number in 1...3 as ClosedRange<Int64> { #expect(try store.past(number)?.missingRequestBody == nil) }
    }
}
