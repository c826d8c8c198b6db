import FoundationEssentials
import SortieHTTP
import Testing

struct PageRecordTests {
    @Test func `S1.38 the last page follows from total and size, and a size of 0 is guarded`() {
        var record = PageRecord(pageSize: 0)
        #expect(record.pageSize == 1)
        #expect(record.hasMore)
        record = PageRecord(pageSize: 20)
        let ticket = record.refresh()
        let outcome1 = record.take(.init(itemCount: 20, total: 41), for: ticket)
        #expect(outcome1 == .replaces)
        #expect(record.lastPage == 3)
        #expect(record.currentPage == 1)
        #expect(record.hasMore)
    }

    @Test func `S1.38 a negative total counts as missing`() {
        var record = PageRecord()
        let ticket = record.refresh()
        let outcome2 = record.take(.init(itemCount: 1, total: -5), for: ticket)
        #expect(outcome2 == .replaces)
        #expect(record.itemCount == 0)
        #expect(!record.hasMore)
    }

    @Test func `S1.38 the time of the last request is kept until a refresh`() {
        var record = PageRecord()
        #expect(record.lastRequestAt == nil)
        _ = record.refresh()
        record.noteRequest(at: Date(timeIntervalSince1970: 5))
        #expect(record.lastRequestAt == Date(timeIntervalSince1970: 5))
        _ = record.refresh()
        #expect(record.lastRequestAt == nil)
    }

    @Test func `S1.40 a failed page is requested again`() throws {
        var record = PageRecord(pageSize: 10)
        let first = record.refresh()
        let outcome3 = record.take(.init(itemCount: 10, total: 30), for: first)
        #expect(outcome3 == .replaces)
        let next = record.loadMore()
        let second = try #require(next)
        #expect(second.key == .number(2))
        let isTaken = record.fail(second)
        #expect(isTaken)
        #expect(record.currentPage == 1)
        let again = record.loadMore()
        #expect(again?.key == .number(2))
    }

    @Test func `S1.40 a response from before a refresh is stale`() throws {
        var record = PageRecord(pageSize: 10)
        let first = record.refresh()
        let outcome4 = record.take(.init(itemCount: 10, total: 30), for: first)
        #expect(outcome4 == .replaces)
        let next = record.loadMore()
        let more = try #require(next)
        let again = record.refresh()
        let outcome5 = record.take(.init(itemCount: 10, total: 30), for: more)
        #expect(outcome5 == .stale)
        let isTaken = record.fail(more)
        #expect(!isTaken)
        let outcome6 = record.take(.init(itemCount: 10, total: 30), for: again)
        #expect(outcome6 == .replaces)
        #expect(record.currentPage == 1)
    }

    @Test func `S1.32 an empty first page means no data, an empty later one no more data`() throws {
        var record = PageRecord()
        let empty = record.refresh()
        let outcome7 = record.take(.init(itemCount: 0), for: empty)
        #expect(outcome7 == .noData)
        let full = record.refresh()
        let outcome8 = record.take(.init(itemCount: 20), for: full)
        #expect(outcome8 == .replaces)
        let next = record.loadMore()
        let ticket = try #require(next)
        let outcome9 = record.take(.init(itemCount: 0), for: ticket)
        #expect(outcome9 == .noMoreData)
        #expect(record.currentPage == 1)
        let none = record.loadMore()
        #expect(none == nil)
    }

    @Test func `S1.40 cursors lead from page to page until the end`() throws {
        var record = PageRecord(usesCursor: true)
        let first = record.refresh()
        #expect(first.key == .cursor(nil))
        let outcome10 = record.take(.init(itemCount: 2, next: "c1"), for: first)
        #expect(outcome10 == .replaces)
        let next = record.loadMore()
        let second = try #require(next)
        #expect(second.key == .cursor("c1"))
        let outcome11 = record.take(.init(itemCount: 2, next: nil), for: second)
        #expect(outcome11 == .appends)
        #expect(!record.hasMore)
    }

    @Test func `S1.39 a fetched page is the only one displayed`() {
        var record = PageRecord(pageSize: 10)
        let ticket = record.fetch(0)
        #expect(ticket.key == .number(1))
        let outcome12 = record.take(.init(itemCount: 10, total: 50), for: ticket)
        #expect(outcome12 == .replaces)
        let later = record.fetch(4)
        let outcome13 = record.take(.init(itemCount: 10, total: 50), for: later)
        #expect(outcome13 == .replaces)
        let following = record.loadMore()
        #expect(following?.key == .number(5))
    }
}
