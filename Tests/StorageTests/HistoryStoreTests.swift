import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests that every exchange is stored and read back unchanged.
@Suite struct HistoryStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() -> HistoryStore { HistoryStore.open(stateFolder: folder.path) }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(folder.path)/sortie/\(name)")[.posixPermissions] as? Int
    }

    @Test func `a WebSocket connection has the scheme of its protocol in the list, and a close by the server with an error is a failure`() throws {
        let store = open()
        store.keep([
            try finishedCall("https://chat.test/room", status: 101, error: NetworkError(.closed, "the server closed it"), kind: .webSocket)
        ])
        let past = try #require(try store.newest())
        #expect(past.item.url == "wss://chat.test/room" && past.item.shownMethod == HTTPMethod("WS") && past.item.method == .get)
        #expect(past.item.outcome == .failed && past.item.error == "closed" && past.item.status == 101)
        #expect(past.exchange.request.url.description == "https://chat.test/room")
    }

    @Test func `a rejected request for a token is a failure, and a rejected response is a response`() throws {
        let store = open()
        let error = NetworkError(.status, "rejected")
        store.keep([try finishedCall(status: nil, error: error)])
        #expect(try store.newest()?.item.outcome == .failed)
        store.keep([try finishedCall(status: 403, error: error)])
        #expect(try store.newest()?.item.outcome == .answered)
    }

    @Test func `a refused handshake of a WebSocket connection is a failure with its reason`() throws {
        let store = open()
        let error = NetworkError(.status, "the server responded with 200 to the WebSocket handshake")
        store.keep([try finishedCall("https://chat.test/room", status: 200, error: error, kind: .webSocket)])
        let past = try #require(try store.newest())
        #expect(past.item.outcome == .failed && past.item.error == "status" && past.item.status == 200)
        #expect(past.exchange.error?.message == error.message)
    }

    @Test func `an exchange is read back completely, also by the next program`() throws {
        let call = try finishedCall(method: .post, requestBody: .text(#"{"name": "x"}"#, contentType: "application/json")) { exchange in
            exchange.response?.trailers = [HeaderField("X-End", "yes")]
            var redirect = Attempt(url: exchange.request.url, method: .post, startedAt: exchange.startedAt + 0.125)
            redirect.sentHeaders = [HeaderField("Host", "first")]
            redirect.body = exchange.request.body
            redirect.sentBodyBytes = 7
            redirect.response = Response(status: 307, headers: [HeaderField("Location", "/orders")], wireBytes: 3)
            redirect.localPort = 50_000
            redirect.lookup = 0.5
            redirect.conditions = "slow"
            redirect.timing.queued = 0.25
            exchange.attempts[0].sentHeaders = [HeaderField("Accept", "*/*"), HeaderField("X-Trace", "1")]
            exchange.attempts[0].sentBodyBytes = 13
            exchange.attempts[0].startedAt = exchange.startedAt + 1.0625
            exchange.attempts[0].response = exchange.response?.head
            exchange.attempts[0].isBodyElsewhere = true
            exchange.otherQueued = 0.5
            exchange.attempts[0].addressChoice = AddressChoice(
                .inUse, count: 2, standing: AddressScore(score: 0.5, latency: 0.1, successes: 3, requests: 4))
            exchange.attempts[0].certificates = [PresentedCertificate(subject: "a", issuer: "b", validFrom: 1, validUntil: 2, pin: "sha256//x")]
            exchange.attempts[0].isUnverified = true
            exchange.attempts.insert(redirect, at: 0)
            exchange.value = .object([.init("id", .number("1"))])
            var endpoint = Endpoint(target: "shop/orders/list", name: "List", path: "/orders")
            endpoint.timeouts = Timeouts(total: nil)
            exchange.request.origin = RequestOrigin(endpoint: endpoint, variables: ["page": "1"], builtins: ["uuid": ["u"]], run: "checkout")
        }
        do {
            let store = open()
            #expect(store.problem == nil)
            store.keep([call])
        }
        let store = open()
        let past = try #require(try store.newest())
        #expect(past.item.number == 1 && past.item.id == call.exchange.id && past.item.run == "checkout")
        #expect(past.item.workspace == "/work/demo" && past.item.service == "shop" && past.item.target == "shop/orders/list")
        #expect(past.item.method == .post && past.item.status == 200 && past.item.outcome == .answered && past.item.duration == 0.25)
        #expect(
            past.item.sentBytes == 13 && past.item.receivedBytes == 13 && past.item.attempts == 2 && past.item.startedAt == call.exchange.startedAt)
        #expect(past.missingBody == nil && past.missingRequestBody == nil)
        var exchange = past.exchange
        #expect(exchange.response?.body.text == #"{"items": []}"#)
        // Views of equal bytes are not equal; everything else is.
        exchange.response?.body = call.exchange.response?.body ?? .empty
        #expect(exchange == call.exchange)
    }

    private var logSize: Int {
        get throws { try #require(FileManager.default.attributesOfItem(atPath: "\(folder.path)/sortie/history.sqlite-wal")[.size] as? Int) }
    }

    @Test func `the log of writes is emptied once it is long, so that it does not grow with each command`() throws {
        let store = open()
        store.keep([try finishedCall()])
        let short = try logSize
        store.shortenLog()
        #expect(short > 0)
        #expect(try logSize == short)
        for _ in 0..<60 { store.keep([try finishedCall()]) }
        #expect(try logSize > 1 << 20)
        store.shortenLog()
        #expect(try logSize == 0)
        #expect(try store.paths().count == 61)
        #expect(store.problem == nil)
    }

    @Test func `the log of writes stays while another program reads, which is no problem`() throws {
        let store = open()
        let problems = Watched<[WorkspaceError]>([])
        store.watch { change in if case .failed(let error) = change { problems.change { $0.append(error) } } }
        for _ in 0..<60 { store.keep([try finishedCall()]) }
        let other = try DatabaseQueue(path: "\(folder.path)/sortie/history.sqlite")
        let (rows, size) = try other.read { db in
            let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM exchange")
            store.shortenLog()
            return (rows, try logSize)
        }
        #expect(rows == 60 && size > 1 << 20)
        store.keep([try finishedCall()])
        #expect(try store.paths().count == 61)
        #expect(problems.current.isEmpty)
    }

    @Test func `failed and cancelled exchanges are stored with the reason`() throws {
        let store = open()
        store.keep([
            try finishedCall(status: nil, error: NetworkError(.connectionRefused, "nobody listens", hint: "start it", underlying: "ECONNREFUSED")),
            try finishedCall(status: nil, error: NetworkError(.cancelled, "stopped")),
            try finishedCall(status: nil, error: NetworkError(.superseded, "a newer one")),
            try finishedCall(status: 404, error: NetworkError(.status, "404")),
        ])
        let items = try store.page(HistoryQuery()).items
        #expect(items.map(\.outcome) == [.answered, .superseded, .cancelled, .failed])
        #expect(items.map(\.error) == ["status", "superseded", "cancelled", "connectionRefused"])
        let past = try #require(try store.past(1))
        #expect(past.exchange.error == NetworkError(.connectionRefused, "nobody listens", hint: "start it", underlying: "ECONNREFUSED"))
        #expect(past.exchange.response == nil && past.missingBody == nil)
    }

    @Test func `the hint of a failed call is that of commands for them, and that of the workbench there`() throws {
        let store = open()
        let error = NetworkError(.timedOut, "it took too long", remedy: .totalTimeout)
        store.keep([try finishedCall(status: nil, error: error)])
        let stored = try #require(try store.past(1)?.exchange.error)
        #expect(stored.programHint == error.programHint && stored.workbenchHint == error.workbenchHint)
        #expect(stored.programHint != stored.workbenchHint)
    }

    @Test func `the files are private to the user`() throws {
        let store = open()
        store.keep([try finishedCall(body: Array(repeating: 65, count: 10_000), contentType: "text/plain")])
        #expect(try mode("history.sqlite") == 0o600 && mode("history.sqlite-wal") == 0o600 && mode("") == 0o700 && mode("bodies") == 0o700)
        let names = try #require(FileManager.default.enumerator(atPath: "\(folder.path)/sortie/bodies")).compactMap { $0 as? String }
        #expect(names.contains { $0.contains("/") })
        for name in names {
            #expect(try mode("bodies/\(name)") == (name.count == 2 ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test func `an exchange is identified by its number, its identity, or as one of the last`() throws {
        let store = open()
        let calls = try (1...3).map { _ in try finishedCall() }
        store.keep(calls)
        #expect(try store.number(of: "2") == 2 && store.number(of: "last") == 3 && store.number(of: "last-2") == 1)
        #expect(try store.number(of: calls[1].exchange.id.description) == 2)
        for nothing in ["4", "last-3", "last-x", "last--1", "x", "", "-1", "0-0"] { #expect(try store.number(of: nothing) == nil, "\(nothing)") }
        #expect(try store.past(9) == nil)
    }

    @Test func `pins, tags and notes are stored, and the number of a deleted exchange is not reused`() throws {
        let store = open()
        store.keep(try (1...3).map { _ in try finishedCall() })
        try store.setPinned([1, 3], true)
        try store.setTags(2, ["slow", "to look at", "slow"])
        try store.setNote(2, "ask “Ann”\nlater")
        try store.delete([3])
        store.keep([try finishedCall()])
        let items = try open().page(HistoryQuery()).items
        #expect(items.map(\.number) == [4, 2, 1] && items.map(\.isPinned) == [false, false, true])
        #expect(items[1].tags == ["slow", "to", "look", "at"] && items[1].note == "ask “Ann”\nlater")
        try store.setPinned([1], false)
        #expect(try open().page(HistoryQuery()).items.allSatisfy { !$0.isPinned })
    }

    @Test func `two programs share the history`() async throws {
        let first = open()
        let second = open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [first, second] {
                group.addTask {
                    for _ in 0..<100 { store.record(try finishedCall(), workspace: nil, redaction: .standard) }
                    store.flush()
                }
            }
            try await group.waitForAll()
        }
        #expect(try first.count(HistoryFilter(), upTo: 1000) == 200)
        #expect(try second.page(HistoryQuery(limit: 500)).items.map(\.number) == (1...200).reversed())
    }

    @Test func `an observer is notified of writes by this program and others, and of nothing else`() async throws {
        let first = open()
        let second = open()
        let told = Watched(0)
        first.watch { change in if case .written = change { told.change { $0 += 1 } } }
        first.flush()
        first.keep([try finishedCall()])
        _ = try await told.wait("the first word", within: .seconds(300)) { $0 >= 1 ? true : nil }
        #expect(told.current == 1)
        second.keep([try finishedCall()])
        _ = try await told.wait("the word of another program", within: .seconds(300)) { $0 >= 2 ? true : nil }
        #expect(told.current == 2)
        _ = try second.page(HistoryQuery())
        try second.setNote(1, "x")
        _ = try await told.wait("the word of a note", within: .seconds(300)) { $0 >= 3 ? true : nil }
        #expect(told.current == 3)
    }
}
