internal import SortieHTTP
internal import SortieTerminal

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
    var selected = 0
    /// The cookies that were removed last, for `u`.
    var removed: [Cookie] = []

    init(environment: String?) {
        self.environment = environment
    }

    /// The matching cookies, sorted by domain, name and path.
    private(set) var shown: [Cookie] = []
    /// The lines of the list.
    private(set) var lines: [Line] = []

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
        lines = Self.lines(of: shown)
        selected = (identity.flatMap { wanted in shown.firstIndex { $0.identity == wanted } } ?? selected).clamped(to: 0...max(0, shown.count - 1))
    }

    /// A line of the list: the heading of a domain, or a cookie by its index in ``shown``.
    enum Line: Hashable {
        case domain(String, Int)
        case cookie(Int)
    }

    private static func lines(of shown: [Cookie]) -> [Line] {
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

extension Context {
    /// The cookies popup.
    static let cookies = Context("Cookies")
}

extension Command {
    static let cookies = Command.named("cookies")
    static let deleteDomain = Command.named("deleteDomain", isInPalette: false)
    static let clearCookies = Command.named("clearCookies", isInPalette: false)
    static let importCookies = Command.named("importCookies", isInPalette: false)
    static let exportCookies = Command.named("exportCookies", isInPalette: false)
}

extension CookiesFeature {
    /// The reason why no cookie is selected.
    private static func noCookie(_ state: AppState) -> String? {
        reason(state) { $0.chosen == nil ? "No cookie is selected" : nil }
    }

    private static func nothingDeleted(_ state: AppState) -> String? {
        reason(state) { $0.removed.isEmpty ? "No cookie was deleted here" : nil }
    }

    private static func reason(_ state: AppState, _ reason: (CookiesPopup) -> String?) -> String? {
        guard let popup = state.popup as? CookiesPopup else { return "The cookies are not open; \(state.key(.cookies)) shows them" }
        return reason(popup)
    }
}

extension CookiesFeature {
    var bindings: [Binding] {
        Binding.movements(.cookies, "cookie") + [
            Binding(.cookies, [.enter, .character("e")], .editRow, "Edit", "Edit the cookie", hint: 1, unless: Self.noCookie),
            Binding(.cookies, [.character("a")], .addRow, "Add", "Add a cookie", hint: 2),
            Binding(
                .cookies, [.character("d"), .delete], .deleteRow, "Delete", "Delete the cookie; it can be undone", hint: 3, unless: Self.noCookie),
            Binding(.cookies, [.character("D")], .deleteDomain, "Domain", "Delete all cookies of the domain", hint: 4, unless: Self.noCookie),
            Binding(.cookies, [.character("X")], .clearCookies, "All", "Delete all cookies of the jar", hint: 10, unless: Self.noCookie),
            Binding(.cookies, [.character("u")], .undo, "Undo", "Undo the last deletion", hint: 5, unless: Self.nothingDeleted),
            Binding(.cookies, [.character("/")], .search, "Filter", "Show the cookies that contain a text", hint: 6),
            Binding(.cookies, [.character("]")], .nextTab, "Next jar", "Show the jar of the next environment", hint: 9),
            Binding(.cookies, [.character("[")], .previousTab, "Previous jar", "Show the jar of the previous environment"),
            Binding(.cookies, [.character("i")], .importCookies, "Import", "Import the cookies of a file in Netscape format", hint: 7),
            Binding(
                .cookies, [.character("x")], .exportCookies, "Export", "Export the cookies to a file in Netscape format", hint: 8,
                unless: Self.noCookie),
            Binding(.cookies, [.character("y")], .copy, "Copy", "Copy the value", unless: Self.noCookie),
            Binding(.cookies, [.character("S")], .toggleSecrets, "Secrets", "Show values, or mask them again", hint: 11),
            Binding(.cookies, [.escape, .control("c"), .character("q")], .close, "Close", "Close the cookies", hint: 12),
            Binding(.panes, [.character("C")], .cookies, "Cookies", "Show, edit, import and export the cookies of the environment")
                .alsoKnownAs("Cookie", "Cookie jar", "Session"),
        ]
    }
}
