import Foundation
import GRDB
import Model
import Support
import Testing

@testable import Storage

/// Rows that another program changed, or that a fault of the disk damaged: an error with a way out, and the other rows as ever.
@Suite struct DamagedHistoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store of three exchanges, the second of which was changed by this SQL.
    private func store(damagedBy sql: String) throws -> HistoryStore {
        do { HistoryStore.open(stateFolder: folder.path).keep([try finishedCall(), try finishedCall(), try finishedCall()]) }
        let queue = try DatabaseQueue(path: folder.path("sortie/history.sqlite"))
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
        return HistoryStore.open(stateFolder: folder.path)
    }

    static let ofExchange = [
        "startedAt = 'yesterday'", "startedAt = x'00ff'", "startedAt = 1e300", "startedAt = -1e300", "duration = 'long'", "duration = 9e999",
        "id = x'c328'", "url = x'ff00'", "status = 'ok'", "status = x''", "status = -1", "status = 1.5", "attempts = 'many'", "sentBytes = 'a'",
        "receivedBytes = -5", "receivedBytes = 1e300", "kind = x'ff'", "method = x'ff'", "outcome = x'ff'", "error = x'ff'", "target = x'ff'",
        "workspace = x'ff'", "run = x'ff'", "tags = x'ff'", "note = x'ff'", "isPinned = 'perhaps'", "environment = x'ff'", "service = x'ff'",
    ]

    @Test(arguments: ofExchange) func `a row with a wrong value is named and does not hide the others`(change: String) throws {
        let store = try store(damagedBy: "UPDATE exchange SET \(change) WHERE number = 2")
        let items = try store.page(HistoryQuery()).items
        #expect(items.map(\.number) == [3, 2, 1])
        #expect(items.map(\.isDamaged) == [false, true, false])
        #expect(items[1].note.contains("number 2 cannot be read: the column ") && items[1].note.contains("sortie history delete 2 removes it"))
        let error = #expect(throws: WorkspaceError.self) { try store.past(2) }
        #expect(error?.code == .damagedRow && error?.message == items[1].note)
        #expect(try store.past(3)?.item.number == 3)
        #expect(try store.number(of: "2") == 2)
        _ = try store.prune(HistoryRetention(age: nil, count: 2, bytes: nil))
        try store.delete([2])
        #expect(try !store.page(HistoryQuery()).items.contains { $0.number == 2 })
    }

    static let ofDetail = [
        "request = 'no JSON'", "request = x'ff'", "request = '{}'", "request = '[1, 2]'", "request = ''", "origin = '{'", "sentHeaders = '{}'",
        "sentHeaders = x'ff'", "answer = '{\"status\": \"x\"}'", "answer = '7'", "attempts = '[{}]'", "attempts = x'ff'", "timing = '[]'",
        "timing = '{\"queued\": 1e999}'", "error = '{}'", "value = '{'", "value = x'ff'", "sentFiles = '{}'", "file = x'ff'",
        "missingBody = x'ff'", "missingRequestBody = x'ff'",
    ]

    @Test(arguments: ofDetail) func `the rest of a row with a wrong value is an error with a way out`(change: String) throws {
        let store = try store(damagedBy: "UPDATE detail SET \(change) WHERE number = 2")
        #expect(try store.page(HistoryQuery()).items.count == 3)
        let error = #expect(throws: WorkspaceError.self) { try store.past(2) }
        #expect(error?.message.contains("number 2 cannot be read") == true && error?.message.contains("history delete 2") == true)
        #expect(try store.past(1) != nil && store.past(3) != nil)
    }

    @Test func `a size of a body that is none is a body that is gone`() throws {
        do { HistoryStore.open(stateFolder: folder.path).keep([try finishedCall(body: Array(repeating: 65, count: 50_000))]) }
        let queue = try DatabaseQueue(path: folder.path("sortie/history.sqlite"))
        for (change, isError) in [("size = 'big'", true), ("size = -1", false), ("size = 9223372036854775807", false)] {
            try queue.write { db in try db.execute(sql: "UPDATE body SET \(change)") }
            let store = HistoryStore.open(stateFolder: folder.path)
            if isError { #expect(throws: WorkspaceError.self) { try store.past(1) } } else { #expect(try store.past(1)?.missingBody != nil) }
        }
    }

    @Test func `pruning by bytes goes on where a size is none`() throws {
        let store = try store(
            damagedBy: "UPDATE exchange SET inlineBytes = 'many' WHERE number = 2; UPDATE exchange SET inlineBytes = 1.5 WHERE number = 1")
        #expect(try store.prune(HistoryRetention(age: nil, count: nil, bytes: 0)).rows >= 1)
    }
}
