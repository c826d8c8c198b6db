internal import SortieTerminal

extension Context {
    /// The cache popup.
    static let cache = Context("Cache")
}

extension Command {
    static let cache = Command.named("cache")
    static let removeServiceFromCache = Command.named("removeServiceFromCache", isInPalette: false)
    static let clearCache = Command.named("clearCache", isInPalette: false)
}

extension CacheFeature {
    /// The reason why no entry is selected.
    private static func noEntry(_ state: AppState) -> String? {
        guard let popup = state.popup as? CachePopup else { return "The cache is not open; \(state.key(.cache)) shows it" }
        return popup.chosen == nil ? "No cached response is selected" : nil
    }

    var bindings: [Binding] {
        [
            Binding(.cache, [.up, .character("k")], .move(.up), "Up", "Move up"),
            Binding(.cache, [.down, .character("j")], .move(.down), "Down", "Move down"),
            Binding(.cache, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.cache, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(.cache, [.home, .character("g")], .move(.first), "Start", "Go to the first entry"),
            Binding(.cache, [.end, .character("G")], .move(.last), "End", "Go to the last entry"),
            Binding(.cache, [.enter], .open, "Content", "Show the stored response", hint: 1, unless: Self.noEntry),
            Binding(.cache, [.character("d"), .delete], .deleteRow, "Remove", "Remove the entry", hint: 2, unless: Self.noEntry),
            Binding(
                .cache, [.character("D")], .removeServiceFromCache, "Service", "Remove all entries of the service", hint: 3, unless: Self.noEntry),
            Binding(.cache, [.character("X")], .clearCache, "All", "Remove all entries", hint: 4, unless: Self.noEntry),
            Binding(.cache, [.character("y")], .copy, "Copy", "Copy the URL", unless: Self.noEntry),
            Binding(.cache, [.character("S")], .toggleSecrets, "Secrets", "Show secrets, or mask them again"),
            Binding(.cache, [.escape, .control("c"), .character("q")], .close, "Close", "Close the cache", hint: 5),
            Binding(.panes, [.character("V")], .cache, "Cache", "Show and remove cached responses"),
        ]
    }
}
