internal import SortieTerminal

extension Keymap {
    /// The bindings of every pane, and those that apply everywhere.
    static let generalBindings: [Binding] = [
        Binding(.panes, [.up, .character("k")], .move(.up), "Up", "Move up"),
        Binding(.panes, [.down, .character("j")], .move(.down), "Down", "Move down"),
        Binding(.panes, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
        Binding(.panes, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
        Binding(.panes, [.home, .character("g")], .move(.first), "Start", "Move to the start"),
        Binding(.panes, [.end, .character("G")], .move(.last), "End", "Move to the end"),
        Binding(.panes, [.left, .character("h")], .fold, "Left", "Fold, scroll left, or in Runs go to the environment on the left"),
        Binding(.panes, [.right, .character("l")], .unfold, "Right", "Unfold, scroll right, or in Runs go to the environment on the right"),
        Binding(.panes, [.character("]")], .nextTab, "Next tab", "Show the next tab of this pane"),
        Binding(.panes, [.character("[")], .previousTab, "Previous tab", "Show the previous tab of this pane"),
        Binding(.panes, [.tab], .focusNext, "Next pane", "Go to the next pane"),
        Binding(.panes, [.backTab], .focusPrevious, "Previous pane", "Go to the previous pane"),
        Binding(.panes, [.character("1")], .focus(.services), "Services", "Go to Services"),
        Binding(.panes, [.character("2")], .focus(.request), "Request", "Go to the request"),
        Binding(.panes, [.character("3")], .focus(.response), "Response", "Go to the response"),
        Binding(.panes, [.character("4")], .focus(.bottom), "Bottom", "Go to the bottom pane"),
        Binding(.panes, [.character("z")], .zoom, "Zoom", "Give this pane the whole screen, or restore the layout")
            .alsoKnownAs("Maximize", "Full screen", "Enlarge"),
        Binding(.panes, [.character(">")], .growPane, "Larger pane", "Make this pane larger").alsoKnownAs("Resize", "Border", "Grow"),
        Binding(.panes, [.character("<")], .shrinkPane, "Smaller pane", "Make this pane smaller").alsoKnownAs("Resize", "Border", "Shrink"),
        Binding(.panes, [], .resetLayout, "Reset layout", "Give all panes their automatic sizes"),
        Binding(.panes, [.character("/")], .search, "Search", "Search in this pane; in Services and History, filter", hint: 7)
            .alsoKnownAs("Find", "Filter", "Grep"),
        Binding(.panes, [.character("n")], .nextMatch, "Next match", "Go to the next match", unless: \.noSearchReason),
        Binding(
            .panes, [.character("N")], .previousMatch, "Previous match", "Go to the previous match", unless: \.noSearchReason),
        Binding(.panes, [.character("y")], .copy, "Copy", "Copy what is selected: a value, the body, a target")
            .alsoKnownAs("Yank", "Clipboard"),
        Binding(.panes, [.character("S")], .toggleSecrets, "Secrets", "Show secrets, or mask them again")
            .alsoKnownAs("Reveal", "Unmask", "Passwords"),
        Binding(.panes, [.character("?")], .help, "Help", "Show the keys that work here", hint: 102)
            .alsoKnownAs("Keys", "Shortcuts", "Bindings"),
        Binding(.popups, [.character("?")], .help, "Help", "Show the keys that work here"),
        Binding(
            .panes, [.control("c")], .cancel, "Cancel", "Cancel the request of this pane, else clear its search or filter, else go back",
            hint: 1, unless: \.cannotCancelReason
        )
        .alsoKnownAs("Stop", "Abort", "Interrupt"),
        Binding(
            .panes, [.escape], .back, "Back", "Clear the search or filter of this pane, else go back; never cancels a request",
            hint: 1, unless: \.cannotGoBackReason),

        Binding(
            .everywhere, [.control("r"), .function(5)], .send, "Send", "Send the request; start the run; replay the row of the history", hint: 100,
            unless: \.cannotSendReason
        )
        .alsoKnownAs("Run", "Execute", "Start", "Submit"),
        Binding(.everywhere, [.control("p")], .palette, "Commands", "Find a command by its name", hint: 101),

        Binding(.always, [.control("l")], .redraw, "Redraw", "Draw the whole screen again, after another program has written to the terminal")
            .alsoKnownAs("Repaint", "Clear screen"),
        Binding(.always, [.control("z")], .suspend, "Suspend", "Stop the program; fg brings it back")
            .alsoKnownAs("Background", "Stop"),
        Binding(.always, [.control("q")], .quit, "Quit", "Quit Sortie; asks if something is running or not saved", hint: 99)
            .alsoKnownAs("Exit", "Close", "q"),
    ]
}
