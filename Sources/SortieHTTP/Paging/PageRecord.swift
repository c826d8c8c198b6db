package import struct FoundationEssentials.Date

/// Identifies a page of a list.
public enum PageKey: Hashable, Sendable {
    /// By its number.
    case number(Int)
    /// By the cursor of the previous response; nil for the first page.
    case cursor(String?)
}

/// The state of a paged list: the next page, whether it exists, and which response is current.
///
/// The record advances only on success, so that a failed page is requested again. Responses to older requests are dropped.
package struct PageRecord: Hashable, Sendable {
    /// Identifies one request of a page, so that stale responses can be recognised.
    package struct Ticket: Hashable, Sendable {
        /// The list that the page belongs to; a refresh begins a new one.
        package let generation: Int
        /// The requested page.
        package let key: PageKey
        /// Whether the response replaces the list.
        package let replaces: Bool
    }

    /// The paging information of a response.
    package struct Answer: Hashable, Sendable {
        /// The number of items on the page.
        package var itemCount: Int
        /// The total number of items; nil when the server does not send it.
        package var total: Int?
        /// The cursor of the next page; nil or empty at the end.
        package var next: String?

        /// Creates a page's information.
        package init(itemCount: Int, total: Int? = nil, next: String? = nil) {
            (self.itemCount, self.total, self.next) = (itemCount, total, next)
        }
    }

    /// The number of items on a page, at least 1.
    package let pageSize: Int
    /// The number of the first page.
    package let firstPage: Int
    /// Whether pages are identified by cursor instead of by number.
    package let usesCursor: Bool
    /// The last page that arrived; nil before the first.
    package private(set) var currentPage: Int?
    /// The total number of items on the server, not below 0; nil when the server does not send it.
    package private(set) var itemCount: Int?
    /// The cursor of the next page.
    package private(set) var cursor: String?
    /// When the last page was requested, as set by ``noteRequest(at:)``; nil after a refresh and before the first request.
    package private(set) var lastRequestAt: Date?
    /// The current request.
    package private(set) var pending: Ticket?
    private var hasEnded = false
    private var generation = 0

    /// Creates a list without requested pages; sizes below 1 become 1.
    package init(pageSize: Int = 20, firstPage: Int = 1, usesCursor: Bool = false) {
        self.pageSize = max(1, pageSize)
        (self.firstPage, self.usesCursor) = (firstPage, usesCursor)
    }

    /// The number of the last page; nil when the total number of items is unknown.
    package var lastPage: Int? {
        itemCount.map { firstPage + max(0, ($0 + pageSize - 1) / pageSize - 1) }
    }

    /// Whether there may be another page.
    package var hasMore: Bool {
        guard let currentPage else { return true }
        if hasEnded { return false }
        if usesCursor { return cursor != nil }
        return lastPage.map { currentPage < $0 } ?? true
    }

    /// Requests the first page of a new list; the response to a current request becomes stale.
    package mutating func refresh() -> Ticket {
        generation += 1
        lastRequestAt = nil
        return ask(usesCursor ? .cursor(nil) : .number(firstPage), replaces: true)
    }

    /// Requests the page after the last one that arrived; nil while a request is in progress, or at the end.
    package mutating func loadMore() -> Ticket? {
        guard pending == nil, hasMore else { return nil }
        guard let currentPage else { return refresh() }
        return ask(usesCursor ? .cursor(cursor) : .number(currentPage + 1), replaces: false)
    }

    /// Requests one page as the only one displayed.
    ///
    /// A number before the first page means the first page; lists with cursors only have that one.
    package mutating func fetch(_ page: Int) -> Ticket {
        guard !usesCursor else { return refresh() }
        generation += 1
        return ask(.number(max(firstPage, page)), replaces: true)
    }

    /// Records the time at which the pending page was requested; the record itself reads no clock.
    package mutating func noteRequest(at time: Date) { lastRequestAt = time }

    private mutating func ask(_ key: PageKey, replaces: Bool) -> Ticket {
        let ticket = Ticket(generation: generation, key: key, replaces: replaces)
        pending = ticket
        return ticket
    }

    /// Processes a response: advances the record and returns the meaning of the response.
    package mutating func take(_ answer: Answer, for ticket: Ticket) -> Outcome {
        guard pending == ticket else { return .stale }
        pending = nil
        itemCount = answer.total.map { max(0, $0) } ?? (ticket.replaces ? nil : itemCount)
        if answer.itemCount <= 0 {
            // An empty page is the end, even where the total is larger. It is not counted, because it may have items later.
            hasEnded = true
            if ticket.replaces {
                currentPage = ticket.page(first: firstPage)
                return ticket.isFirst(firstPage) ? .noData : .noMoreData
            }
            return .noMoreData
        }
        hasEnded = false
        currentPage = usesCursor ? (ticket.replaces ? firstPage : (currentPage ?? firstPage) + 1) : ticket.page(first: firstPage)
        if usesCursor { cursor = answer.next.flatMap { $0.isEmpty ? nil : $0 } }
        return ticket.replaces ? .replaces : .appends
    }

    /// Records a failed request; the same page is requested next.
    ///
    /// Returns false for a stale request.
    package mutating func fail(_ ticket: Ticket) -> Bool {
        guard pending == ticket else { return false }
        pending = nil
        return true
    }

    /// The meaning of a response.
    package enum Outcome: Hashable, Sendable {
        /// The response belongs to an older request and is dropped.
        case stale
        /// The items replace the list.
        case replaces
        /// The items are appended to the list.
        case appends
        /// The first page is empty: the list has no data.
        case noData
        /// A later page is empty: the list is complete.
        case noMoreData
    }
}

extension PageRecord.Ticket {
    fileprivate func page(first: Int) -> Int {
        if case .number(let page) = key { return page }
        return first
    }

    fileprivate func isFirst(_ first: Int) -> Bool {
        switch key {
        case .number(let page): page <= first
        case .cursor(let cursor): cursor == nil
        }
    }
}
