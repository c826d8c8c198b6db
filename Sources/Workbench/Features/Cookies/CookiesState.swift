internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// The cookie jar of an environment in a popup, sorted by domain.
///
/// The runner owns the jar; the popup shows the last listing.
struct CookiesPopup: Sendable {
    let environment: String?
    private(set) var cookies: [Cookie] = []
    /// The time of reading, relative to which expiry times are shown.
    private(set) var readAt = Date(timeIntervalSince1970: 0)
    /// Whether the jar was read.
    private(set) var isRead = false
    /// A text that the name, domain or path of a cookie must contain.
    private(set) var filter: TextField?
    var isFiltering = false
    /// The index of the selected cookie in ``shown``.
    private(set) var selected = 0
    /// The cookies that were removed last, for `u`.
    var removed: [Cookie] = []

    init(environment: String?) {
        self.environment = environment
    }

    /// The matching cookies, sorted by domain, name and path.
    private(set) var shown: [Cookie] = []

    var chosen: Cookie? { shown.indices.contains(selected) ? shown[selected] : nil }

    /// Updates the cookies; the selected one stays selected if it still exists.
    mutating func take(_ listing: CookieListing) {
        cookies = listing.cookies.sorted { ($0.domain, $0.name, $0.path) < ($1.domain, $1.name, $1.path) }
        readAt = listing.readAt
        isRead = true
        match()
    }

    mutating func changeFilter(_ work: (inout TextField) -> Void) {
        var field = filter ?? TextField()
        work(&field)
        filter = field
        match()
    }

    mutating func clearFilter() {
        filter = nil
        match()
    }

    private mutating func match() {
        let identity = chosen?.identity
        let searchTerm = filter?.text.lowercased() ?? ""
        shown =
            searchTerm.isEmpty
            ? cookies
            : cookies.filter { cookie in [cookie.name, cookie.domain, cookie.path].contains { $0.lowercased().contains(searchTerm) } }
        selected = (identity.flatMap { wanted in shown.firstIndex { $0.identity == wanted } } ?? selected).clamped(to: 0...max(0, shown.count - 1))
    }

    mutating func select(_ identity: Cookie.Identity) {
        selected = shown.firstIndex { $0.identity == identity } ?? selected
    }

    mutating func select(index: Int) { if shown.indices.contains(index) { selected = index } }

    mutating func move(_ movement: Movement, page: Int) {
        selected = movement.target(from: selected, count: shown.count, page: page)
    }

    /// A line of the list: the heading of a domain, or a cookie by its index in ``shown``.
    enum Line: Hashable {
        case domain(String, Int)
        case cookie(Int)
    }

    var lines: [Line] {
        var lines: [Line] = []
        var start = 0
        while start < shown.count {
            let domain = shown[start].domain
            let end = shown[start...].firstIndex { $0.domain != domain } ?? shown.count
            lines.append(.domain(domain, end - start))
            lines += (start..<end).map { .cookie($0) }
            start = end
        }
        return lines
    }
}
