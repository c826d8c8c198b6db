internal import SortieTerminal

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
        [
            Binding(.cookies, [.up, .character("k")], .move(.up), "Up", "Move up"),
            Binding(.cookies, [.down, .character("j")], .move(.down), "Down", "Move down"),
            Binding(.cookies, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.cookies, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(.cookies, [.home, .character("g")], .move(.first), "Start", "Go to the first cookie"),
            Binding(.cookies, [.end, .character("G")], .move(.last), "End", "Go to the last cookie"),
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
            Binding(.panes, [.character("C")], .cookies, "Cookies", "Show, edit, import and export the cookies of the environment"),
        ]
    }
}
