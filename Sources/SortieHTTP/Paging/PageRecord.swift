/// How far a paged list is: which page is next, whether there is one, and which answer is still wanted (S1.38–S1.40).
///
/// It advances on success only, so that a page that failed is asked for again; an answer to an older question is dropped.
public struct PageRecord: Hashable, Codable, Sendable {
    /// Which page is asked for.
    public enum Key: Hashable, Codable, Sendable {
        /// By its number.
        case number(Int)
        /// By the cursor of the answer before; nil for the first page.
        case cursor(String?)
    }

    /// The identity of one question, so that a stale answer is known as one.
    public struct Ticket: Hashable, Codable, Sendable {
        /// Which list the page belongs to: a refresh begins a new one.
        public let generation: Int
        /// Which page.
        public let key: Key
        /// Whether the answer begins the list anew.
        public let replaces: Bool
    }

    /// What the answer to a page says.
    public struct Answer: Hashable, Sendable {
        /// How many items are on it.
        public var itemCount: Int
        /// How many items there are in all, if the server says.
        public var total: Int?
        /// The cursor of the next page; nil or empty is the end.
        public var next: String?

        /// An answer.
        public init(itemCount: Int, total: Int? = nil, next: String? = nil) {
            self.itemCount = itemCount
            self.total = total
            self.next = next
        }
    }

    /// How many items a page has, at least 1.
    public let pageSize: Int
    /// The number of the first page.
    public let firstPage: Int
    /// Whether pages go by cursor instead of by number.
    public let usesCursor: Bool
    /// The last page that arrived; nil before the first.
    public private(set) var currentPage: Int?
    /// How many items the server has in all, not below 0; nil when it does not say.
    public private(set) var itemCount: Int?
    /// The cursor of the next page.
    public private(set) var cursor: String?
    /// What is being asked for now.
    public private(set) var pending: Ticket?
    private var hasEnded = false
    private var generation = 0

    /// A list of which nothing was asked for; sizes below 1 become 1 (S1.40).
    public init(pageSize: Int = 20, firstPage: Int = 1, usesCursor: Bool = false) {
        self.pageSize = max(1, pageSize)
        self.firstPage = firstPage
        self.usesCursor = usesCursor
    }

    /// The number of the last page; nil when the server does not say how many items there are.
    public var lastPage: Int? {
        itemCount.map { firstPage + max(0, ($0 + pageSize - 1) / pageSize - 1) }
    }

    /// Whether there may be another page.
    public var hasMore: Bool {
        guard let currentPage else { return true }
        if hasEnded { return false }
        if usesCursor { return cursor != nil }
        return lastPage.map { currentPage < $0 } ?? true
    }

    /// Asks for the first page of a new list; an answer that is under way is not wanted any more.
    public mutating func refresh() -> Ticket {
        generation += 1
        return ask(usesCursor ? .cursor(nil) : .number(firstPage), replaces: true)
    }

    /// Asks for the page after the last one that arrived; nil while a page is under way, or when there is none.
    public mutating func loadMore() -> Ticket? {
        guard pending == nil, hasMore else { return nil }
        guard let currentPage else { return refresh() }
        return ask(usesCursor ? .cursor(cursor) : .number(currentPage + 1), replaces: false)
    }

    /// Asks for one numbered page as the only one shown; numbers before the first become it, and pages by cursor have none but the first.
    public mutating func fetch(_ page: Int) -> Ticket {
        guard !usesCursor else { return refresh() }
        generation += 1
        return ask(.number(max(firstPage, page)), replaces: true)
    }

    private mutating func ask(_ key: Key, replaces: Bool) -> Ticket {
        let ticket = Ticket(generation: generation, key: key, replaces: replaces)
        pending = ticket
        return ticket
    }

    /// Takes an answer: advances, and says what it means.
    public mutating func take(_ answer: Answer, for ticket: Ticket) -> Outcome {
        guard pending == ticket else { return .stale }
        pending = nil
        itemCount = answer.total.map { max(0, $0) } ?? (ticket.replaces ? nil : itemCount)
        if answer.itemCount <= 0 {
            // An empty page is the end, whatever the total says, and is not counted: it may have items later.
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

    /// Takes note that no answer came; the same page is next again.
    ///
    /// Returns false for a stale question.
    public mutating func fail(_ ticket: Ticket) -> Bool {
        guard pending == ticket else { return false }
        pending = nil
        return true
    }

    /// What an answer means.
    public enum Outcome: Hashable, Sendable {
        /// It belongs to an older question and is dropped.
        case stale
        /// Its items are the list now.
        case replaces
        /// Its items go behind the others.
        case appends
        /// The first page is empty: there is nothing (S1.32).
        case noData
        /// A later page is empty: there is nothing further (S1.32).
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
