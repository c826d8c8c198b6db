internal import SortieTerminal

extension Context {
    /// The comparison of two exchanges.
    static let comparing = Context("Comparing")
}

extension CompareFeature {
    var bindings: [Binding] {
        [
            Binding(.comparing, [.up, .character("k")], .move(.up), "Up", "Scroll up"),
            Binding(.comparing, [.down, .character("j")], .move(.down), "Down", "Scroll down"),
            Binding(.comparing, [.pageUp], .move(.pageUp), "Page up", "Scroll up by a page"),
            Binding(.comparing, [.pageDown, .space], .move(.pageDown), "Page down", "Scroll down by a page"),
            Binding(.comparing, [.home, .character("g")], .move(.first), "Start", "Go to the start"),
            Binding(.comparing, [.end, .character("G")], .move(.last), "End", "Go to the end"),
            Binding(.comparing, [.left, .character("h")], .fold, "Left", "Scroll left"),
            Binding(.comparing, [.right, .character("l")], .unfold, "Right", "Scroll right"),
            Binding(.comparing, [.character("n")], .nextMatch, "Next", "Go to the next difference", hint: 1),
            Binding(.comparing, [.character("N")], .previousMatch, "Previous", "Go to the previous difference", hint: 2),
            Binding(
                .comparing, [.enter], .open, "Same fields", "Show or hide equal fields; bodies show only differences",
                hint: 3),
            Binding(.comparing, [.character("y")], .copy, "Copy", "Copy the comparison as text", hint: 4),
            Binding(.comparing, [.escape, .control("c"), .character("q")], .close, "Close", "Close the comparison", hint: 5),
        ]
    }
}
