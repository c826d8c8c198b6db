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
        Binding(.panes, [.character(">")], .growPane, "Larger pane", "Make this pane larger").alsoKnownAs("Resize", "Border", "Split", "Grow"),
        Binding(.panes, [.character("<")], .shrinkPane, "Smaller pane", "Make this pane smaller").alsoKnownAs("Resize", "Border", "Split", "Shrink"),
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
        Binding(.popups, [.control("p")], .palette, "Commands", "Close the popup, and find a command by its name"),
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
        .alsoKnownAs("Run", "Execute", "Start", "Submit", "Resend"),
        Binding(.everywhere, [.control("p")], .palette, "Commands", "Find a command by its name", hint: 101),

        Binding(.always, [.control("l")], .redraw, "Redraw", "Draw the whole screen again, after another program has written to the terminal")
            .alsoKnownAs("Repaint", "Clear screen"),
        Binding(.always, [.control("z")], .suspend, "Suspend", "Stop the program; fg brings it back")
            .alsoKnownAs("Background", "Shell"),
        Binding(.always, [.control("q")], .quit, "Quit", "Quit Sortie; asks if something is running or not saved", hint: 99)
            .alsoKnownAs("Exit", "Close", "q"),
        Binding(.panes, [.character("q")], .quit, "Quit", "Quit Sortie where nothing is typed; asks if something is running or not saved"),
    ]
}

extension Keymap {
    /// The bindings of text fields and popups.
    static let textBindings: [Binding] = [
        Binding(.entry, [.enter], .accept, "Find", "Keep the text and go back to the pane", hint: 1),
        Binding(.entry, [.escape, .control("c")], .leave, "Cancel", "Discard the text", hint: 2),
        Binding(.entry, [.down], .nextMatch, "Next", "Next match; in Services, next row"),
        Binding(.entry, [.up], .previousMatch, "Previous", "Previous match; in Services, previous row"),

        Binding(.field, [.left, .control("b")], .text(.left), "Left", "One character to the left"),
        Binding(.field, [.right, .control("f")], .text(.right), "Right", "One character to the right"),
        Binding(.field, [Key(.left, .control), .alt("b")], .text(.wordLeft), "Word left", "One word to the left"),
        Binding(.field, [Key(.right, .control), .alt("f")], .text(.wordRight), "Word right", "One word to the right"),
        Binding(.field, [.home, .control("a")], .text(.start), "Start", "To the start of the text"),
        Binding(.field, [.end, .control("e")], .text(.end), "End", "To the end of the text"),
        Binding(.field, [.backspace, .control("h")], .text(.deleteBefore), "Delete", "Delete the character before the cursor"),
        Binding(.field, [.delete, .control("d")], .text(.deleteAfter), "Delete", "Delete the character after the cursor"),
        Binding(
            .field, [.control("w"), Key(.backspace, .alt)], .text(.deleteWordBefore), "Delete word",
            "Delete the word before the cursor"),
        Binding(.field, [.control("u")], .text(.deleteToStart), "Clear", "Delete everything before the cursor"),
        Binding(.field, [.control("k")], .text(.deleteToEnd), "Delete to end", "Delete everything after the cursor"),
        Binding(.field, [.alt("d")], .text(.deleteWordAfter), "Delete word", "Delete the word after the cursor"),
        Binding(.field, [Key(.home, .control)], .text(.move(.textStart)), "First line", "To the start of all lines"),
        Binding(.field, [Key(.end, .control)], .text(.move(.textEnd)), "Last line", "To the end of all lines"),
        Binding(.field, [Key(.left, .shift)], .text(.select(.left)), "Select left", "Select the character to the left"),
        Binding(.field, [Key(.right, .shift)], .text(.select(.right)), "Select right", "Select the character to the right"),
        Binding(.field, [Key(.left, [.shift, .control])], .text(.select(.wordLeft)), "Select word", "Select the word to the left"),
        Binding(.field, [Key(.right, [.shift, .control])], .text(.select(.wordRight)), "Select word", "Select the word to the right"),
        Binding(.field, [Key(.up, .shift)], .text(.select(.up)), "Select up", "Select up to the line above, or to the start"),
        Binding(.field, [Key(.down, .shift)], .text(.select(.down)), "Select down", "Select up to the line below, or to the end"),
        Binding(.field, [Key(.home, .shift)], .text(.select(.start)), "Select to start", "Select to the start of the text"),
        Binding(.field, [Key(.end, .shift)], .text(.select(.end)), "Select to end", "Select to the end of the text"),
        Binding(
            .field, [Key(.home, [.shift, .control])], .text(.select(.textStart)), "Select to first", "Select to the start of all lines"),
        Binding(.field, [Key(.end, [.shift, .control])], .text(.select(.textEnd)), "Select to last", "Select to the end of all lines"),
        Binding(.field, [.alt("a")], .text(.selectAll), "Select all", "Select the whole text"),
        Binding(.field, [.alt("u"), .control("_")], .text(.undo), "Undo", "Undo the last word that was typed or deleted"),
        Binding(.field, [.alt("U")], .text(.redo), "Redo", "Redo what was undone last"),

        Binding(.popup, [.up], .move(.up), "Up", "Move up"),
        Binding(.popup, [.down], .move(.down), "Down", "Move down"),
        Binding(.popup, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
        Binding(.popup, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
        Binding(.popup, [.enter], .choose, "Choose", "Use the selected row", hint: 1),
        Binding(.popup, [.escape, .control("c")], .close, "Close", "Close without doing anything", hint: 2),
        Binding(.menu, [.home, .character("g")], .move(.first), "Start", "Move to the start"),
        Binding(.menu, [.end, .character("G")], .move(.last), "End", "Move to the end"),
        Binding(.menu, [.character("j")], .move(.down), "Down", "Move down"),
        Binding(.menu, [.character("k")], .move(.up), "Up", "Move up"),
        Binding(.menu, [.character("q")], .close, "Close", "Close"),

        Binding(.reading, [.up, .character("k")], .move(.up), "Up", "Scroll up"),
        Binding(.reading, [.down, .character("j")], .move(.down), "Down", "Scroll down"),
        Binding(.reading, [.pageUp], .move(.pageUp), "Page up", "Scroll up by a page"),
        Binding(.reading, [.pageDown, .space], .move(.pageDown), "Page down", "Scroll down by a page"),
        Binding(.reading, [.home, .character("g")], .move(.first), "Start", "Go to the start"),
        Binding(.reading, [.end, .character("G")], .move(.last), "End", "Go to the end"),
        Binding(.reading, [.character("/")], .search, "Search", "Search in the text", hint: 4),
        Binding(.reading, [.character("n")], .nextMatch, "Next match", "Go to the next match", unless: Self.noReadingSearch),
        Binding(.reading, [.character("N")], .previousMatch, "Previous match", "Go to the previous match", unless: Self.noReadingSearch),
        Binding(.reading, [.character("y")], .copy, "Copy", "Copy the text as it is shown", hint: 1),
        Binding(.reading, [.character("S")], .toggleSecrets, "Secrets", "Show secrets, or mask them again", hint: 3),
        Binding(
            .reading, [.escape, .control("c"), .enter, .character("q")], .close, "Close", "Close without doing anything", hint: 2),

        Binding(.form, [.enter], .accept, "OK", "Use the values", hint: 1),
        Binding(.form, [.tab, .down], .nextField, "Next", "Go to the next value", hint: 2),
        Binding(.form, [.backTab, .up], .previousField, "Previous", "Go to the previous value"),
        Binding(.form, [.escape, .control("c")], .close, "Close", "Close without changing anything", hint: 4),
        Binding(.choice, [.space, .right], .toggle, "Change", "Choose the next word", hint: 3),
        Binding(.choice, [.left], .fold, "Back", "Choose the previous word"),

        Binding(.prompt, [.enter], .accept, "OK", "Use the text", hint: 1),
        Binding(.prompt, [.escape, .control("c")], .close, "Close", "Close without doing anything", hint: 2),
    ]

    private static func noReadingSearch(_ state: AppState) -> String? {
        let isSearched = (state.popup as? any ReadingPopup)?.position.searchTerm != nil
        return isSearched ? nil : "Nothing was searched here yet; press \(state.key(.search, in: .reading))"
    }

    /// The stacks of contexts of the generic popups.
    static let popupStacks: [[Context]] = [
        [.popup, .menu], [.popup, .field], [.prompt, .field], [.form, .field], [.form, .choice], [.reading],
    ]
}
