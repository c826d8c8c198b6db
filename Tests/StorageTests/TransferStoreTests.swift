import Foundation
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests that unfinished transfers are stored across programs, with one owner at a time.
@Suite struct TransferStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> TransferStore { try TransferStore(workspace: "/work/demo", stateFolder: folder.path) }

    private var place: String { "\(folder.path)/sortie/transfers/_work_demo" }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: place).sorted() }
    }

    private func transfer(_ name: String) -> QueuedTransfer {
        QueuedTransfer(
            Endpoint(target: "files/\(name)", name: name, path: "/\(name)?token={{token}}"), environment: "develop", destination: "/downloads/")
    }

    @Test func `the next program takes over the transfers in their order`() throws {
        try store().keep([transfer("b"), transfer("a")])
        let adopted = try store().adopt()
        #expect(adopted.problems.isEmpty)
        #expect(adopted.items == [transfer("b"), transfer("a")])
        #expect(adopted.items.first?.endpoint.path == "/b?token={{token}}", "templates stay as they are")
    }

    @Test(arguments: [true, false])
    func `whether a repeated exchange has masks is stored, and assumed where the file does not say so`(isMasked: Bool) throws {
        var transfer = transfer("a")
        transfer.replays = 7
        transfer.isMasked = isMasked
        transfer.endpoint.headers = [Parameter("X-Note", "••••")]
        try store().keep([transfer])
        #expect(try store().adopt().items == [transfer])
        let path = "\(place)/\(try #require(try files.first { $0.hasSuffix(".json") }))"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let pair = "\"isMasked\":\(isMasked)"
        try text.replacing("\(pair),", with: "").replacing(",\(pair)", with: "").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("isMasked"))
        #expect(try store().adopt().items.map(\.isMasked) == [true])
    }

    @Test func `only one of two programs that start at once takes a transfer over`() throws {
        try store().keep([transfer("a")])
        let (first, second) = (try store(), try store())
        #expect(first.adopt().items.count == 1)
        #expect(second.adopt().items.isEmpty)
    }

    @Test func `transfers of a running program are not taken over`() throws {
        let first = try store()
        try first.keep([transfer("a")])
        #expect(try store().adopt().items.isEmpty)
        try first.keep([])
    }

    @Test func `a program killed while taking over leaves each transfer once`() throws {
        // The new owner has written its file, and not yet removed the old one.
        try store().keep([transfer("a")])
        try store().keep([transfer("a"), transfer("b")])
        #expect(try store().adopt().items.map(\.endpoint.name).sorted() == ["a", "b"])
    }

    @Test func `an unreadable file is reported with its path and not changed`() throws {
        try store().keep([transfer("a")])
        let broken = try #require(try files.first { $0.hasSuffix(".json") })
        try Data("[{".utf8).write(to: URL(fileURLWithPath: "\(place)/\(broken)"))
        let adopted = try store().adopt()
        #expect(adopted.items.isEmpty)
        #expect(
            adopted.problems.first?.message
                == "the transfers that have not ended cannot be read; this file is not changed, move it to another place to start again")
        #expect(adopted.problems.first?.file == "\(place)/\(broken)")
        #expect(try files.contains(broken))
    }

    @Test func `the files are private and are removed when nothing is left`() throws {
        let store = try store()
        try store.keep([transfer("a")])
        for name in try files {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try store.keep([])
        #expect(try files.filter { $0.hasSuffix(".json") }.isEmpty)
    }
}
