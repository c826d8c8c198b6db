import Foundation
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests paging without skipped or mixed pages (S1.38–S1.40, S1.32).
struct PagerTests {
    private struct Broken: Error {}

    private static func page(_ number: Int, of total: Int, size: Int) -> Pager<Int>.Page {
        let first = (number - 1) * size
        return .init(items: Array(first..<max(first, min(first + size, total))), total: total)
    }

    private func pages(total: Int, size: Int) -> Pager<Int> {
        Pager(PageRecord(pageSize: size)) { key, size in
            guard case .number(let number) = key else { throw Broken() }
            return Self.page(number, of: total, size: size)
        }
    }

    @Test func `S1.39 refresh, more and fetch return their pages`() async throws {
        let pager = pages(total: 5, size: 2)
        #expect(try await pager.refresh() == [0, 1])
        #expect(try await pager.loadMore() == [2, 3])
        #expect(try await pager.loadMore() == [4])
        #expect(await pager.items == [0, 1, 2, 3, 4])
        #expect(await !pager.hasMore)
        #expect(try await pager.fetch(2) == [2, 3])
        #expect(await pager.items == [2, 3])
        #expect(try await pager.refresh() == [0, 1])
        #expect(await pager.items == [0, 1])
    }

    @Test func `S1.38 each request of a page is recorded with its time, also a failed one`() async throws {
        let seconds = Mutex(0.0)
        let pager = Pager<Int>(
            PageRecord(pageSize: 2),
            now: {
                seconds.withLock { seconds in
                    seconds += 1
                    return Date(timeIntervalSince1970: seconds)
                }
            }
        ) { key, _ in
            if key == .number(2) { throw Broken() }
            return Self.page(1, of: 5, size: 2)
        }
        _ = try await pager.refresh()
        #expect(await pager.record.lastRequestAt == Date(timeIntervalSince1970: 1))
        await #expect(throws: Broken.self) { _ = try await pager.loadMore() }
        #expect(await pager.record.lastRequestAt == Date(timeIntervalSince1970: 2))
    }

    @Test func `S1.40 a failed load skips no page`() async throws {
        let failures = Mutex(1)
        let pager = Pager<Int>(PageRecord(pageSize: 2)) { key, size in
            guard case .number(let number) = key else { throw Broken() }
            if number == 2,
                failures.withLock({
                    $0 -= 1; return $0 >= 0
                })
            {
                throw Broken()
            }
            return Self.page(number, of: 6, size: size)
        }
        try await pager.refresh()
        await #expect(throws: Broken.self) { try await pager.loadMore() }
        #expect(await pager.items == [0, 1])
        #expect(try await pager.loadMore() == [2, 3])
    }

    @Test func `a pager has the size and the first page of its parameters`() async throws {
        let pager = Pager<Int>(pageSize: 2, firstPage: 0) { key, size in
            guard case .number(let number) = key else { throw Broken() }
            return Pager.Page(items: Array(number * size..<(number + 1) * size), total: 4)
        }
        #expect(try await pager.refresh() == [0, 1])
        #expect(try await pager.loadMore() == [2, 3])
        #expect(await !pager.hasMore)
    }

    @Test func `S1.40 a refresh while more is loading does not mix pages`() async throws {
        let (door, open) = AsyncStream<Void>.makeStream()
        let asked = Watched<[Int]>([])
        let pager = Pager<Int>(PageRecord(pageSize: 2)) { key, size in
            guard case .number(let number) = key else { throw Broken() }
            asked.change { $0.append(number) }
            // The response arrives late and despite its cancellation.
            if number == 2 { await Task { for await _ in door {} }.value }
            return Self.page(number, of: 6, size: size)
        }
        try await pager.refresh()
        let more = Task { try await pager.loadMore() }
        try await asked.wait("page 2", within: .seconds(300), describe: { "\($0)" }) { $0 == [1, 2] ? () : nil }
        try await pager.refresh()
        open.finish()
        let error = await #expect(throws: NetworkError.self) { try await more.value }
        #expect(error?.code == .superseded)
        #expect(await pager.items == [0, 1])
        #expect(try await pager.loadMore() == [2, 3])
    }

    @Test func `S1.40 a second load of more joins the first`() async throws {
        let (door, open) = AsyncStream<Void>.makeStream()
        let asked = Watched<[Int]>([])
        let pager = Pager<Int>(PageRecord(pageSize: 2)) { key, size in
            guard case .number(let number) = key else { throw Broken() }
            asked.change { $0.append(number) }
            if number == 2 { for await _ in door {} }
            return Self.page(number, of: 6, size: size)
        }
        try await pager.refresh()
        let first = Task { try await pager.loadMore() }
        try await asked.wait("page 2", within: .seconds(300), describe: { "\($0)" }) { $0 == [1, 2] ? () : nil }
        // Both are in progress before the response arrives: this one is queued at the actor before the access to its items.
        let second = Task.immediate { try await pager.loadMore() }
        #expect(await pager.items == [0, 1])
        open.finish()
        #expect(try await first.value == [2, 3])
        #expect(try await second.value == [2, 3])
        #expect(await pager.items == [0, 1, 2, 3])
        #expect(asked.current == [1, 2])
    }

    @Test func `S1.32 an empty first page and an empty later page are different errors`() async throws {
        let empty = pages(total: 0, size: 2)
        #expect(await #expect(throws: NetworkError.self) { try await empty.refresh() }?.code == .noData)
        let pager = pages(total: 2, size: 2)
        try await pager.refresh()
        #expect(await #expect(throws: NetworkError.self) { try await pager.loadMore() }?.code == .noMoreData)
        #expect(await pager.items == [0, 1])
    }

    @Test func `S1.40 pages are loaded by cursor`() async throws {
        let pager = Pager<String>(PageRecord(usesCursor: true)) { key, _ in
            switch key {
            case .cursor(nil): .init(items: ["a"], next: "c")
            case .cursor("c"): .init(items: ["b"], next: nil)
            default: throw Broken()
            }
        }
        try await pager.refresh()
        try await pager.loadMore()
        #expect(await pager.items == ["a", "b"])
        #expect(await !pager.hasMore)
    }
}
