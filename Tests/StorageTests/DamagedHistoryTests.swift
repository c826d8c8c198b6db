import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests rows that another program or a disk error damaged: an error with a remedy, and unaffected other rows.
@Suite struct DamagedHistoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store with one undamaged exchange before and one after the damaged ones; each change is applied to a separate row.
    private func store(damagedBy changes: [String], in table: String) throws -> HistoryStore {
        do { HistoryStore.open(stateFolder: folder.path).keep(try (0..<changes.count + 2).map { _ in try finishedCall() }) }
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        try queue.write { db in
            for (number, change) in zip(2..., changes) { try db.execute(sql: "UPDATE \(table) SET \(change) WHERE number = \(number)") }
        }
        try queue.close()
        return HistoryStore.open(stateFolder: folder.path)
    }

    @Test(arguments: ["request = '[]'", "format = 2"])
    func `the last exchange of an endpoint is found where a later one of another request is damaged`(damage: String) throws {
        func call(_ method: HTTPMethod) throws -> CompletedCall {
            try finishedCall(method: method) {
                $0.request.origin = RequestOrigin(endpoint: Endpoint(target: "shop/orders/list", name: "List", method: method, path: "/orders"))
            }
        }
        do { HistoryStore.open(stateFolder: folder.path).keep([try call(.get), try call(.delete)]) }
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        try queue.write { try $0.execute(sql: "UPDATE detail SET \(damage) WHERE number = 2") }
        try queue.close()
        let store = HistoryStore.open(stateFolder: folder.path)
        let endpoint = Endpoint(target: "shop/orders/list", name: "List", path: "/orders")
        #expect(try store.past(ofLast: endpoint, in: "/work/demo")?.item.number == 1)
    }

    static let ofExchange = [
        "startedAt = 'yesterday'", "startedAt = x'00ff'", "startedAt = 1e300", "startedAt = -1e300", "duration = 'long'", "duration = 9e999",
        "id = x'c328'", "url = x'ff00'", "status = 'ok'", "status = x''", "status = -1", "attempts = 'many'", "sentBytes = 'a'",
        "receivedBytes = -5", "receivedBytes = 1e300", "kind = x'ff'", "method = x'ff'", "outcome = x'ff'", "error = x'ff'", "target = x'ff'",
        "workspace = x'ff'", "run = x'ff'", "tags = x'ff'", "note = x'ff'", "isPinned = 'perhaps'", "environment = x'ff'", "service = x'ff'",
    ]

    @Test func `rows with an invalid value are reported and do not hide the others`() throws {
        let store = try store(damagedBy: Self.ofExchange, in: "exchange")
        let items = Array(try store.page(HistoryQuery(limit: 1000)).items.reversed())
        #expect(items.map(\.number) == Array(1...Int64(items.count)))
        #expect(items.count == Self.ofExchange.count + 2 && items.first?.isDamaged == false && items.last?.isDamaged == false)
        for (item, change) in zip(items.dropFirst(), Self.ofExchange) {
            let number = item.number
            #expect(item.isDamaged, "\(change)")
            #expect(item.note.contains("number \(number) cannot be read: the column ") && !item.note.contains("sortie "), "\(item.note)")
            let error = #expect(throws: WorkspaceError.self, "\(change)") { try store.past(number) }
            #expect(error?.code == .damagedRow && error?.message == item.note && error?.remedy == .damagedExchange(number))
            #expect(try store.number(of: "\(number)") == number)
        }
        #expect(try store.past(1)?.item.number == 1)
        _ = try store.prune(HistoryRetention(age: nil, count: items.count - 1, bytes: nil))
        try store.delete([2])
        #expect(try store.page(HistoryQuery(limit: 1000)).items.count == items.count - 2)
    }

    static let ofRequest = ["request = 'no JSON'", "request = x'ff'", "request = '{}'", "request = '[1, 2]'", "request = ''"]

    @Test func `a row whose request cannot be read is an error with a way out`() throws {
        let store = try store(damagedBy: Self.ofRequest, in: "detail")
        #expect(try store.page(HistoryQuery(limit: 1000)).items.count == Self.ofRequest.count + 2)
        for (number, change) in zip(Int64(2)..., Self.ofRequest) {
            let error = #expect(throws: WorkspaceError.self, "\(change)") { try store.past(number) }
            #expect(error?.message.contains("number \(number) cannot be read") == true && error?.remedy == .damagedExchange(number))
        }
        #expect(try store.past(1) != nil && store.past(Int64(Self.ofRequest.count + 2)) != nil)
    }

    static let ofParts = [
        "origin = '{'", "origin = '{}'", "origin = x'ff'", "sentHeaders = '{}'", "sentHeaders = x'ff'",
        "answer = '{\"status\": \"x\"}'", "answer = '7'",
        "attempts = '[{}]'", "attempts = x'ff'", "timing = '[]'", "timing = '{\"queued\": 1e999}'",
        "timing = replace(timing, '\"queued\":0', '\"queued\":1e300')", "attempts = replace(attempts, '\"delay\":0', '\"delay\":-1e300')",
        "attempts = replace(attempts, '\"total\":0.25', '\"total\":9223372036854775807')", "error = '{}'", "value = '{'", "value = x'ff'",
        "sentFiles = '{}'", "file = x'ff'", "missingBody = x'ff'", "missingRequestBody = x'ff'",
        "checks = '{}'", "checks = x'ff'",
    ]

    @Test func `a part of a row that cannot be read is left out and named, and the rest is there`() throws {
        let store = try store(damagedBy: Self.ofParts, in: "detail")
        for (number, change) in zip(Int64(2)..., Self.ofParts) {
            let past = try #require(try store.past(number), "\(change)")
            #expect(past.unreadable == [String(change.prefix { $0 != " " })], "\(change)")
            #expect(past.exchange.request.url.path == "/orders", "\(change)")
            #expect((past.exchange.response == nil) == change.hasPrefix("answer"), "\(change)")
            #expect(past.exchange.response != nil || past.missingBody == "the stored response cannot be read", "\(change)")
        }
        #expect(try store.past(1)?.unreadable == [])
    }

    @Test func `a check with a word of another version is one of a hook that was not compared`() throws {
        let store = HistoryStore.open(stateFolder: folder.path)
        store.keep([try finishedCall()])
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        try queue.write { db in
            try db.execute(
                sql: #"UPDATE detail SET checks = '[{"key": "new", "outcome": "late", "subject": "a", "actual": "b", "more": 1}]'"#)
        }
        try queue.close()
        #expect(try store.past(1)?.exchange.reportedChecks == [ExchangeCheck(.hook, .skipped, subject: "a", actual: "b")])
    }

    @Test func `an origin with a key that cannot be read is left out, because it would be sent otherwise`() throws {
        do {
            HistoryStore.open(stateFolder: folder.path).keep([
                try finishedCall { exchange in
                    var endpoint = Endpoint(target: "shop/a", name: "a", path: "/a")
                    endpoint.redirects = 3
                    exchange.request.origin = RequestOrigin(endpoint: endpoint)
                }
            ])
        }
        #expect(try HistoryStore.open(stateFolder: folder.path).past(1)?.exchange.request.origin?.endpoint.redirects == 3)
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        try queue.write { db in try db.execute(sql: "UPDATE detail SET origin = replace(origin, 'redirects: 3', 'redirects: many')") }
        try queue.close()
        let past = try #require(try HistoryStore.open(stateFolder: folder.path).past(1))
        #expect(past.exchange.request.origin == nil && past.unreadable == ["origin"] && past.exchange.response?.status == 200)
    }

    @Test func `a body with an invalid size counts as missing`() throws {
        do { HistoryStore.open(stateFolder: folder.path).keep([try finishedCall(body: Array(repeating: 65, count: 50_000))]) }
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        for change in ["size = 'big'", "size = -1", "size = 9223372036854775807"] {
            try queue.write { db in try db.execute(sql: "UPDATE body SET \(change)") }
            let store = HistoryStore.open(stateFolder: folder.path)
            #expect(try store.past(1)?.missingBody != nil)
        }
    }

    @Test func `pruning by bytes continues with invalid sizes`() throws {
        let store = try store(damagedBy: ["inlineBytes = 'many'", "inlineBytes = 1.5", "inlineBytes = x'ff'"], in: "exchange")
        #expect(try store.prune(HistoryRetention(age: nil, count: nil, bytes: 0)).rows >= 1)
    }
}
