import Foundation
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests state files with arbitrary content: an error that names the unchanged file, and never a crash.
@Suite struct DamagedStateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let contents: [String] = [
        "", "{", "[", "null", "7", "\"text\"", "{}", "[{}]", "[[]]", "[null]", "[7]", "\u{0}\u{0}\u{0}", "[\u{0}]", "{\"a\":1e999}", "[1e400]",
        String(repeating: "[", count: 5000), "{\"version\": \"one\"}", "{\"version\": 99999999999999999999}", "{\"workspaces\": 7, \"version\": 1}",
    ]

    @Test(arguments: contents) func `damaged drafts, transfers and waiting requests are an error`(_ content: String) throws {
        for name in ["drafts", "transfers", "parked"] {
            let place = StateFolder.path(in: "sortie/\(name)", of: "/w")
            try folder.write("\(place)/left.json", content)
            try folder.write("\(place)/left.lock", "")
        }
        let drafts = try DraftStore(workspace: "/w", stateFolder: folder.path).adopt()
        let path = folder.path("\(StateFolder.path(in: "sortie/drafts", of: "/w"))/left.json")
        #expect(drafts.items.isEmpty && drafts.problems.map(\.file) == [path])
        #expect(drafts.problems.first?.message.contains("move it to another place") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
        let transfers = try TransferStore(workspace: "/w", stateFolder: folder.path).adopt()
        #expect(transfers.items.isEmpty && transfers.problems.count == 1)
        let parked = try ParkedStore(workspace: "/w", stateFolder: folder.path).adopt()
        #expect(parked.items.isEmpty && parked.problems.count == 1)
    }

    @Test(arguments: contents) func `a damaged journal of a run is an error`(_ content: String) throws {
        let path = "\(StateFolder.path(in: "sortie/runs", of: "/w"))/r.journal"
        for text in [content, content + "\n", content + "\n" + content + "\n"] {
            try folder.write(path, text)
            let error = #expect(throws: WorkspaceError.self) { try RunStore(workspace: "/w", stateFolder: folder.path).load("r") }
            #expect(error?.message.contains("remove it to start again") == true)
        }
    }

    @Test func `numbers that cannot be used in calculations are rejected`() throws {
        var transfer = QueuedTransfer(Endpoint(target: "a/b", name: "B", path: "/"), environment: nil, destination: "/d")
        (transfer.bytes, transfer.total) = (.min, .max)
        try TransferStore(workspace: "/w", stateFolder: folder.path).keep([transfer])
        let adopted = try #require(try TransferStore(workspace: "/w", stateFolder: folder.path).adopt().items.first)
        #expect(adopted.bytes == 0 && adopted.total == nil)

        let far = Date(timeIntervalSince1970: 1e300)
        let parked = ParkedRequest(
            id: "1", endpoint: transfer.endpoint, environment: nil, since: Date(timeIntervalSince1970: -1e300), expires: far, reason: "")
        try ParkedStore(workspace: "/w", stateFolder: folder.path).keep([parked])
        let request = try #require(try ParkedStore(workspace: "/w", stateFolder: folder.path).adopt().items.first)
        #expect(request.since.timeIntervalSince1970 == 0 && request.expires < Date(timeIntervalSince1970: 1e12))

        let path = "\(StateFolder.path(in: "sortie/runs", of: "/w"))/r.journal"
        let head = "{\"sortieRun\":1,\"run\":\"r\",\"kind\":\"chain\",\"steps\":[{\"name\":\"s\",\"target\":\"a/b\"}]}\n"
        for line in ["{\"step\":0,\"state\":\"done\",\"seconds\":-1e300}\n{}\n", "{\"end\":\"failed\",\"duration\":1e300}\n{}\n"] {
            try folder.write(path, head + line)
            #expect(throws: WorkspaceError.self) { try RunStore(workspace: "/w", stateFolder: folder.path).load("r") }
        }
    }

    @Test(arguments: contents) func `damaged permissions are an error`(_ content: String) throws {
        let path = try folder.write("sortie/trust", content)
        // An object without entries is a file of this version.
        let error = #expect(throws: WorkspaceError.self) { try TrustStore(path: path).permitted(in: "/w") }
        #expect(error?.file == path)
    }

    @Test(arguments: contents) func `damaged cookies are set aside and the jar starts empty`(_ content: String) throws {
        let store = CookieStore(workspace: "/w", environment: "", cacheFolder: folder.path)
        try folder.write(String(store.path.dropFirst(folder.path.count + 1)), content)
        let notice = try store.sync { theirs, _ in theirs }
        #expect(notice?.contains("cookies cannot be read") == true)
        #expect(try String(contentsOfFile: store.path + ".damaged", encoding: .utf8) == content)
    }

    @Test(arguments: contents) func `damaged addresses of names are an error`(_ content: String) throws {
        try folder.write("sortie/addresses/names.json", content)
        #expect(throws: WorkspaceError.self) { try AddressStore(cacheFolder: folder.path).load() }
    }
}
