import Foundation
import GRDB
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// State files of another version, and files of which a part cannot be read: nothing is lost, and the rest is used.
@Suite struct StateVersionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func drafts() throws -> DraftStore { try DraftStore(workspace: "/w", stateFolder: folder.path) }

    private func draft(_ name: String) -> EndpointDraft {
        EndpointDraft(original: nil, edited: Endpoint(target: "shop/\(name)", name: name, path: "/\(name)"))
    }

    /// Stores drafts as a program that ends; the path of their file.
    private func leave(_ drafts: [EndpointDraft]) throws -> String {
        try self.drafts().keep(drafts.map(UnsavedEdit.endpoint))
        let place = folder.path("sortie/drafts/_w")
        return "\(place)/\(try #require(try FileManager.default.contentsOfDirectory(atPath: place).first { $0.hasSuffix(".json") }))"
    }

    /// What the next program takes over.
    private func taken() throws -> (drafts: [EndpointDraft], problems: [WorkspaceError]) {
        let (items, problems) = try drafts().adopt()
        return (UnsavedEdits(items).endpoints, problems)
    }

    private func write(_ path: String, _ text: String) throws { try folder.write(String(path.dropFirst(folder.path.count + 1)), text) }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The file with a record changed.
    private func change(_ path: String, _ old: String, _ new: String) throws {
        let before = try text(path)
        try #require(before.contains(old), "\(before)")
        try write(path, before.replacing(old, with: new))
    }

    // MARK: Newer versions

    private static let newer = #"{"version": 99, "drafts": [], "transfers": [], "requests": [], "cookies": [], "names": [], "workspaces": []}"#

    private func expectNewer(_ path: String, _ error: WorkspaceError?) throws {
        #expect(error?.code == .newer && error?.file == path, "\(String(describing: error))")
        #expect(error?.message.contains("newer version of Sortie (format 99)") == true && error?.message.contains("use that version") == true)
        #expect(try text(path) == Self.newer)
    }

    @Test func `drafts, transfers and parked requests of a newer version stay where they are`() throws {
        for name in ["drafts", "transfers", "parked"] {
            let place = StateFolder.path(in: folder.path("sortie/\(name)"), of: "/w")
            try write("\(place)/left.json", Self.newer)
            try write("\(place)/left.lock", "")
            let problems =
                switch name {
                case "drafts": try taken().problems
                case "parked": try ParkedStore(workspace: "/w", stateFolder: folder.path).adopt().problems
                default: try TransferStore(workspace: "/w", stateFolder: folder.path).adopt().problems
                }
            try expectNewer("\(place)/left.json", problems.first)
        }
    }

    @Test func `cookies, addresses and permissions of a newer version are not replaced`() throws {
        let cookies = CookieStore(workspace: "/w", environment: "", cacheFolder: folder.path)
        try write(cookies.path, Self.newer)
        try expectNewer(cookies.path, #expect(throws: WorkspaceError.self) { try cookies.sync { _, _ in [] } })
        let names = AddressStore(cacheFolder: folder.path)
        let path = try folder.write("sortie/addresses/names.json", Self.newer)
        try expectNewer(path, #expect(throws: WorkspaceError.self) { try names.load() })
        try expectNewer(path, #expect(throws: WorkspaceError.self) { try names.keep([]) })
        let trust = TrustStore(path: try folder.write("sortie/trust", Self.newer))
        try expectNewer(folder.path("sortie/trust"), #expect(throws: WorkspaceError.self) { try trust.permit([], in: "/w") })
    }

    @Test func `the journal of a newer version is not replaced by a new start`() throws {
        let path = "\(StateFolder.path(in: folder.path("sortie/runs"), of: "/w"))/r.journal"
        try write(path, "{\"sortieRun\":99}\n")
        let record = RunRecord(run: "r", kind: .chain, steps: [StepRecord(name: "s", target: "a/b")])
        let error = #expect(throws: WorkspaceError.self) { try RunStore(workspace: "/w", stateFolder: folder.path).begin(record) }
        #expect(error?.code == .newer && error?.file == path)
        #expect(try text(path) == "{\"sortieRun\":99}\n")
    }

    @Test(arguments: [(99, "a newer"), (2, "an older")])
    func `a row of the history in another format is named, and the others are opened`(format: Int, version: String) throws {
        do { HistoryStore.open(stateFolder: folder.path).keep([try finishedCall(), try finishedCall()]) }
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        try queue.write { db in try db.execute(sql: "UPDATE detail SET format = \(format) WHERE number = 2") }
        try queue.close()
        let store = HistoryStore.open(stateFolder: folder.path)
        let error = #expect(throws: WorkspaceError.self) { try store.past(2) }
        #expect(error?.code == .damagedRow && error?.message.contains("\(version) version of Sortie wrote it (format \(format))") == true)
        #expect(try store.past(1) != nil)
    }

    // MARK: Older versions

    @Test(arguments: [#"[{"target": "shop/a"}]"#, #"{"version": 1, "drafts": []}"#])
    func `drafts of an older version are reported, and stay where they are`(old: String) throws {
        let path = try folder.write("sortie/drafts/_w.json", old)
        for _ in 1...2 {
            let problems = try taken().problems
            #expect(problems.map(\.file) == [path] && problems[0].message.contains("move it to another place to start again"))
            #expect(try text(path) == old)
        }
    }

    // MARK: Damaged parts

    @Test func `a draft that cannot be read does not affect the others, and the file is kept beside the new one`() throws {
        let path = try leave([draft("a"), draft("b"), draft("c")])
        try change(path, #""target":"shop/b""#, #""target":7"#)
        let damaged = try text(path)
        let (found, problems) = try taken()
        #expect(found == [draft("a"), draft("c")])
        #expect(problems.count == 1 && problems[0].file == path)
        #expect(
            problems.first?.message.contains("record 2: the value of target is not one that Sortie writes") == true
                && problems.first?.message.contains(".json.damaged beside it") == true, "\(problems)")
        #expect(try text(path + ".damaged") == damaged)
        #expect(try FileManager.default.attributesOfItem(atPath: path + ".damaged")[.posixPermissions] as? Int == 0o600)
        #expect(try taken().drafts == [draft("a"), draft("c")])
    }

    @Test func `a draft with one key that cannot be read keeps the others`() throws {
        var changed = draft("a")
        changed.edited.redirects = 3
        changed.edited.variables = ["x": "1"]
        try change(leave([changed, draft("b")]), "redirects: 3", "redirects: three")
        let (found, problems) = try taken()
        changed.edited.redirects = nil
        #expect(found == [changed, draft("b")])
        #expect(problems.count == 1 && problems[0].message.contains("shop/a, line 3: redirects must be a whole number"), "\(problems)")
    }

    @Test func `a draft is kept where what its file had cannot be read`() throws {
        var changed = draft("a")
        changed.original = changed.edited
        changed.edited.path = "/other"
        try change(leave([changed]), #""original":{"#, #""original":7,"was":{"#)
        let (found, problems) = try taken()
        #expect(found.map(\.edited) == [changed.edited] && found[0].original == nil)
        #expect(problems.count == 1 && problems[0].message.contains("what the file had"), "\(problems)")
    }

    @Test func `a file that cannot be read at all is kept beside the one that replaces it`() throws {
        let store = try drafts()
        try store.keep([.endpoint(draft("a"))])
        let file = try #require(try FileManager.default.subpathsOfDirectory(atPath: folder.path("sortie/drafts")).first { $0.hasSuffix(".json") })
        for (number, content) in ["[{", "{}"].enumerated() {
            try folder.write("sortie/drafts/\(file)", content)
            try store.keep([.endpoint(draft("a"))])
            #expect(try text(folder.path("sortie/drafts/\(file).damaged\(number == 0 ? "" : "-2")")) == content)
        }
    }

    @Test func `a parked request of which a part cannot be read waits for the user`() throws {
        var endpoint = Endpoint(target: "shop/a", name: "a", method: .post, path: "/a")
        endpoint.redirects = 3
        let request = ParkedRequest(
            id: "1", endpoint: endpoint, environment: nil, since: Date(timeIntervalSince1970: 1), expires: Date(timeIntervalSince1970: 2), reason: "x"
        )
        var other = request
        other.id = "2"
        other.endpoint.redirects = nil
        try ParkedStore(workspace: "/w", stateFolder: folder.path).keep([request, other])
        let place = StateFolder.path(in: folder.path("sortie/parked"), of: "/w")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place).first { $0.hasSuffix(".json") })
        try change("\(place)/\(name)", "redirects: 3", "redirects: x")
        let adopted = try ParkedStore(workspace: "/w", stateFolder: folder.path).adopt()
        #expect(adopted.items.map(\.isOut) == [true, false])
        #expect(adopted.problems.count == 1)
        #expect(FileManager.default.fileExists(atPath: "\(place)/\(name).damaged"))
    }

    @Test func `a cookie that cannot be read does not affect the others`() throws {
        let store = CookieStore(workspace: "/w", environment: "", cacheFolder: folder.path)
        let cookies = [("session", "abc"), ("theme", "dark")].map { name, value in
            Cookie(name: name, value: value, domain: "shop.test", isHostOnly: true, path: "/", expiresAt: Date(timeIntervalSince1970: 4_000_000_000))
        }
        _ = try store.sync { _, _ in cookies }
        try change(store.path, #""value":"abc""#, #""value":7"#)
        var found: [Cookie] = []
        let notice = try CookieStore(workspace: "/w", environment: "", cacheFolder: folder.path).sync { theirs, _ in
            found = theirs
            return theirs
        }
        #expect(found == [cookies[1]])
        #expect(notice?.contains("record 1: the value of value is not one that Sortie writes") == true, "\(notice ?? "")")
    }
}
