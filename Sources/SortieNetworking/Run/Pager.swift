public import SortieHTTP

package import struct FoundationEssentials.Date

/// A list that is fetched page by page.
///
/// `PageRecord` holds the rules: a page counts when it has arrived, a refresh makes pending responses stale, and a request for more
/// items while a page is pending joins the pending request.
public actor Pager<Item: Sendable> {
    /// The content of one page.
    public struct Page: Sendable {
        /// The items in order.
        public var items: [Item]
        /// The total number of items, if the server sends it.
        public var total: Int?
        /// The cursor of the next page.
        public var next: String?

        /// Creates a page.
        public init(items: [Item], total: Int? = nil, next: String? = nil) {
            (self.items, self.total, self.next) = (items, total, next)
        }
    }

    private typealias Load = @Sendable (_ key: PageKey, _ pageSize: Int) async throws -> Page

    /// All received items, in order.
    public private(set) var items: [Item] = []
    /// The state of the paging.
    package private(set) var record: PageRecord
    private let load: Load
    private let now: @Sendable () -> Date
    private var loading: Task<[Item], any Error>?

    /// Creates an empty list; nothing is fetched before the first call.
    ///
    /// - Parameters:
    ///   - pageSize: The number of items on a page, at least 1.
    ///   - firstPage: The number of the first page.
    ///   - usesCursor: Whether pages are identified by cursor instead of by number.
    ///   - load: Fetches a page.
    public init(
        pageSize: Int = 20, firstPage: Int = 1, usesCursor: Bool = false,
        load: @escaping @Sendable (_ key: PageKey, _ pageSize: Int) async throws -> Page
    ) {
        self.init(PageRecord(pageSize: pageSize, firstPage: firstPage, usesCursor: usesCursor), load: load)
    }

    /// Creates a list with the state before the first call, and with the clock for `PageRecord.lastRequestAt`.
    package init(
        _ record: PageRecord, now: @escaping @Sendable () -> Date = { Date() },
        load: @escaping @Sendable (_ key: PageKey, _ pageSize: Int) async throws -> Page
    ) {
        (self.record, self.now, self.load) = (record, now, load)
    }

    /// Whether there may be another page.
    public var hasMore: Bool { record.hasMore }

    /// Fetches the first page; its items replace all others.
    ///
    /// - Throws: `NetworkError.Code.noData` when the page is empty, `NetworkError.Code.superseded` when a newer refresh replaced this
    ///   one, or the error of the request.
    @discardableResult
    public func refresh() async throws -> [Item] {
        try await ask(record.refresh())
    }

    /// Fetches the next page, appends its items, and returns only these.
    ///
    /// While a page is pending, this waits for it instead of sending another request.
    ///
    /// - Throws: `NetworkError.Code.noMoreData` when there is no next page or it is empty; else the errors of ``refresh()``.
    @discardableResult
    public func loadMore() async throws -> [Item] {
        if record.pending != nil, let loading { return try await loading.value }
        guard let ticket = record.loadMore() else { throw NetworkError.emptyPage(2) }
        return try await ask(ticket)
    }

    /// Fetches one numbered page; its items replace all others.
    ///
    /// - Throws: The errors of ``refresh()``, and `NetworkError.Code.noMoreData` for an empty page that is not the first.
    @discardableResult
    public func fetch(_ page: Int) async throws -> [Item] {
        try await ask(record.fetch(page))
    }

    private func ask(_ ticket: PageRecord.Ticket) async throws -> [Item] {
        loading?.cancel()
        record.noteRequest(at: now())
        let task = Task { try await self.answer(to: ticket) }
        loading = task
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Fetches a page and stores its items, unless the list was restarted meanwhile.
    private func answer(to ticket: PageRecord.Ticket) async throws -> [Item] {
        let page: Page
        do { page = try await load(ticket.key, record.pageSize) } catch {
            guard record.fail(ticket) else { throw NetworkError.stalePage }
            throw error
        }
        switch record.take(.init(itemCount: page.items.count, total: page.total, next: page.next), for: ticket) {
        case .stale: throw NetworkError.stalePage
        case .replaces: items = page.items
        case .appends: items += page.items
        case .noData:
            items = []
            throw NetworkError.emptyPage(1)
        case .noMoreData:
            if ticket.replaces { items = [] }
            throw NetworkError.emptyPage(2)
        }
        return page.items
    }
}

extension NetworkError {
    fileprivate static let stalePage = NetworkError(.superseded, "the list was reloaded before this page arrived")
}
