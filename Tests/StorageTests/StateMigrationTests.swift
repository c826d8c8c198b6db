import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// State of released versions is read completely, and is written in the current version afterwards.
@Suite struct StateMigrationTests {
    private let released: ReleasedState

    init() throws { released = try ReleasedState("0.1.0") }

    private var state: String { released.folder.path }

    /// The version and the number of records of a state file.
    private func content(_ path: String, _ key: String) throws -> (version: JSONValue?, count: Int) {
        let file = try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: path)))
        guard case .array(let records)? = file[key] else { return (file["version"], -1) }
        return (file["version"], records.count)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `drafts of 0.1.0`() throws {
        let store = DraftStore(workspace: ReleasedState.workspace, stateFolder: state)
        let expected = ReleasedState.drafts.map { EndpointDraft(original: nil, edited: $0) }
        let first = try store.load()
        #expect(first.problems.isEmpty)
        #expect(first.drafts == expected)
        try store.save(first.drafts)
        let path = try released.file("drafts", ".json")
        #expect(try content(path, "drafts") == (.number("2"), 10))
        #expect(try mode(path) == 0o600)
        #expect(try store.load().drafts == expected)
    }

    @Test func `transfers of 0.1.0`() throws {
        let store = try TransferStore(workspace: ReleasedState.workspace, stateFolder: state)
        let adopted = store.adopt()
        #expect(adopted.problems.isEmpty)
        #expect(adopted.transfers == ReleasedState.transfers)
        #expect(try content(try released.file("transfers", ".json"), "transfers") == (.number("2"), 2))
    }

    @Test func `requests of 0.1.0 that wait for the network`() throws {
        let store = try ParkedStore(workspace: ReleasedState.workspace, stateFolder: state)
        let adopted = store.adopt()
        #expect(adopted.problems.isEmpty)
        #expect(adopted.requests == ReleasedState.parked)
        #expect(try content(try released.file("parked", ".json"), "requests") == (.number("2"), 2))
    }

    @Test func `a failed run of 0.1.0`() throws {
        let store = RunStore(workspace: ReleasedState.workspace, stateFolder: state)
        #expect(try store.load("checkout") == ReleasedState.run)
        _ = try store.begin(ReleasedState.run)
        #expect(released.files.filter { $0.contains("checkout") }.map { ($0 as NSString).pathExtension } == ["journal"])
        #expect(try store.load("checkout")?.steps.map(\.state) == [.done, .failed, .skipped])
    }

    @Test func `a run of 0.1.0 whose process was killed`() throws {
        let found = try #require(try RunStore(workspace: ReleasedState.workspace, stateFolder: state).load("nightly/all"))
        #expect(found.state == .cancelled && found.kind == .batch && found.environment == nil && found.run == "nightly/all")
        #expect(found.steps.map(\.state) == [.done, .waiting, .waiting, .waiting, .cancelled, .waiting, .waiting, .waiting, .waiting])
        #expect(found.steps.map(\.row) == Array(0..<9))
    }

    @Test func `cookies of 0.1.0`() throws {
        let store = CookieStore(workspace: ReleasedState.workspace, environment: "develop", cacheFolder: state)
        var found: [Cookie] = []
        let extra = Cookie(name: "a", value: "b", domain: "c.test")
        let notice = try store.sync { theirs, _ in
            found = theirs
            return theirs + [extra]
        }
        #expect(notice == nil)
        #expect(found == ReleasedState.cookies)
        #expect(try content(store.path, "cookies") == (.number("2"), 3))
        let again = CookieStore(workspace: ReleasedState.workspace, environment: "develop", cacheFolder: state)
        _ = try again.sync { theirs, _ in
            #expect(theirs == ReleasedState.cookies + [extra])
            return theirs
        }
    }

    @Test func `addresses of names of 0.1.0`() throws {
        let store = AddressStore(cacheFolder: state)
        #expect(try store.load() == ReleasedState.names)
        try store.keep(ReleasedState.names)
        #expect(try content(try released.file("addresses", ".json"), "names") == (.number("2"), 2))
        #expect(try store.load() == ReleasedState.names)
    }

    // MARK: History

    @Test func `the history of 0.1.0 is listed and opened`() throws {
        let store = HistoryStore.open(stateFolder: state)
        #expect(store.problem == nil)
        let items = try store.page(HistoryQuery()).items
        #expect(items.map(\.number) == [5, 4, 3, 2, 1])
        #expect(items.map(\.status) == [200, nil, 200, 201, 200])
        #expect(items[4].tags == ["first", "golden"] && items[3].note == "a note" && items[3].isPinned && items[3].run == "checkout")
        for item in items { #expect(try store.past(item.number)?.unreadable == []) }
    }

    @Test func `an exchange of 0.1.0 has its request, response and origin`() throws {
        let past = try #require(try HistoryStore.open(stateFolder: state).past(2))
        #expect(past.exchange.request.origin?.endpoint == ReleasedState.full)
        #expect(past.exchange.request.origin?.variables == ["id": "42", "item": "tea"])
        #expect(past.exchange.request.origin?.builtins == ["uuid": ["0198f6a0-0000-7000-8000-00000000000a"]])
        #expect(past.exchange.request.origin?.run == "checkout")
        #expect(past.exchange.request.body == .bytes(Array("{\"item\": \"tea\"}".utf8), contentType: "application/json"))
        #expect(past.exchange.request.options.version == .http2 && past.exchange.request.options.cacheLifetime == .seconds(300))
        #expect(past.exchange.request.options.proxy?.host == "proxy.test" && past.exchange.request.headers["X-Note"] == "ü")
        #expect(past.exchange.response?.status == 201 && past.exchange.response?.body.text == "{\"id\": 7}")
        #expect(past.exchange.attempts.first?.timing.firstByte == 0.125 && past.exchange.timing.total == 0.25)
        #expect(past.exchange.attempts.first?.sentCookies.first?.name == "theme")
    }

    @Test func `exchanges of 0.1.0 with a large body, an error, and parts`() throws {
        let store = HistoryStore.open(stateFolder: state)
        let large = try #require(try store.past(3))
        #expect(large.exchange.response?.body.count == 12_000 && large.missingBody == nil && large.exchange.request.origin == nil)
        let failed = try #require(try store.past(4))
        #expect(failed.exchange.error?.code == .connectionRefused && failed.exchange.error?.hint == "start it" && failed.exchange.response == nil)
        let parts = try #require(try store.past(5))
        #expect(parts.exchange.request.origin?.endpoint == ReleasedState.parts)
        guard case .multipart(let sent) = parts.exchange.request.body else {
            Issue.record("no parts")
            return
        }
        #expect(sent.map(\.name) == ["note"])
    }

    @Test func `a history of 0.1.0 gets a version for each row, and new rows are written in the current one`() throws {
        let store = HistoryStore.open(stateFolder: state)
        store.keep([
            try finishedCall {
                $0.request.origin = RequestOrigin(endpoint: ReleasedState.full, variables: ["id": "1"])
                $0.attempts[0].sentCookies = ReleasedState.cookies
            }
        ])
        let queue = try otherProgram(released.folder.path("sortie/history.sqlite"))
        let (formats, origin) = try queue.read { db in
            (
                try Int.fetchAll(db, sql: "SELECT format FROM detail ORDER BY number"),
                try String.fetchOne(db, sql: "SELECT origin FROM detail WHERE number = 6") ?? ""
            )
        }
        try queue.close()
        #expect(formats == [1, 1, 1, 1, 1, 3])
        #expect(try JSONValue(parsing: origin)["endpoint"]?["target"] == "shop/orders/create")
        let past = try #require(try store.past(6))
        #expect(past.unreadable == [] && past.exchange.request.origin?.endpoint == ReleasedState.full)
        #expect(past.exchange.attempts[0].sentCookies.map(\.expiresAt) == ReleasedState.cookies.map(\.expiresAt))
    }

    @Test func `0.1.0 does not open a history that a later version has opened`() throws {
        _ = HistoryStore.open(stateFolder: state)
        let queue = try otherProgram(released.folder.path("sortie/history.sqlite"))
        // The migrations that 0.1.0 knows: one that it does not know makes it refuse the file.
        let applied = try queue.read { db in try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier") }
        #expect(applied == ["1 exchanges", "2 annotations", "3 identity", "4 formats", "5 checks"])
    }

    @Test func `a history of 0.1.0 that is opened for reading only has its origins`() throws {
        let path = released.folder.path("sortie/history.sqlite")
        let reader = try #require(HistoryDatabase.readOnly(path))
        let store = HistoryStore(
            path: path, database: HistoryDatabase(mode: .reading, reader: reader, writer: nil, problem: nil), retention: .standard)
        #expect(try store.past(1)?.exchange.request.origin?.endpoint == ReleasedState.listing)
    }
}
