import Foundation
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests that requests that wait for the network are stored across programs, with one owner at a time (S3.16).
@Suite struct ParkedStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> ParkedStore { try ParkedStore(workspace: "/work/demo", stateFolder: folder.path) }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/sortie/parked/_work_demo").sorted() }
    }

    private func parked(_ id: String, since: TimeInterval = 0) -> ParkedRequest {
        ParkedRequest(
            id: id, endpoint: Endpoint(target: "shop/\(id)", name: id, method: .post, path: "/"), environment: "develop",
            since: Date(timeIntervalSince1970: since), expires: Date(timeIntervalSince1970: since + 60), reason: "refused")
    }

    @Test func `the next program takes over the waiting requests, oldest first`() throws {
        for number in [2, 1] { try store().keep([parked("\(number)", since: Double(number))]) }
        let next = try store()
        let adopted = next.adopt()
        #expect(adopted.problems.isEmpty)
        #expect(adopted.items.map(\.id) == ["1", "2"])
        #expect(try files.count == 2, "its own file and its lock")
    }

    @Test func `requests of a running program are not taken over`() throws {
        let first = try store()
        try first.keep([parked("1")])
        #expect(try store().adopt().items.isEmpty)
        try first.keep([])
    }

    @Test func `a program whose lock another one has taken before it is held uses another name`() throws {
        let place = folder.path("parked")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let other = try #require(StateLock(path: place + "/taken.lock"))
        var names = ["taken", "free"]
        let state = try ProgramState<StoredParkedRequest>(folder: place) { names.removeFirst() }
        try state.keep([parked("1")])
        other.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["free.json", "free.lock"])
    }

    @Test func `requests are taken over only once`() throws {
        try store().keep([parked("1")])
        let second = try store()
        #expect(second.adopt().items.map(\.id) == ["1"])
        #expect(second.adopt().items.isEmpty)
        try second.keep([])
        #expect(try store().adopt().items.isEmpty)
    }

    @Test func `a program killed between two steps leaves one request, not two`() throws {
        // The new owner has written its file, and not yet removed the old one.
        try store().keep([parked("1")])
        try store().keep([parked("1"), parked("2", since: 1)])
        #expect(try store().adopt().items.map(\.id) == ["1", "2"])
    }

    @Test func `an unreadable file is reported and not changed`() throws {
        try store().keep([parked("1")])
        let path = "\(folder.path)/sortie/parked/_work_demo"
        let broken = try #require(try files.first { $0.hasSuffix(".json") })
        try Data("{".utf8).write(to: URL(fileURLWithPath: "\(path)/\(broken)"))
        let adopted = try store().adopt()
        #expect(adopted.items.isEmpty)
        #expect(
            adopted.problems.first?.message
                == "the requests that wait for the network cannot be read; this file is not changed, move it to another place to start again")
        #expect(try files.contains(broken))
    }

    @Test func `the files are private and are removed when nothing waits`() throws {
        let store = try store()
        try store.keep([parked("1")])
        for name in try files {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/sortie/parked/_work_demo/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try store.keep([])
        #expect(try files.filter { $0.hasSuffix(".json") }.isEmpty)
    }
}
