internal import Terminal

extension Keymap {
    /// Bindings while text is entered and in popups.
    static let textBindings: [Binding] = [
        Binding(.entry, [.enter], .accept, "Find", "Keep the text and go back to the pane", hint: 1),
        Binding(.entry, [.escape, .control("c")], .leave, "Cancel", "Forget the text", hint: 2),
        Binding(.entry, [.down], .nextMatch, "Next", "Next match; in Services, next row"),
        Binding(.entry, [.up], .previousMatch, "Previous", "Previous match; in Services, previous row"),

        Binding(.row, [.enter], .accept, "Done", "Leave the field; the text stays", hint: 1),
        Binding(.row, [.tab], .nextField, "Next field", "Name, value, description, next row", hint: 2),
        Binding(.row, [.backTab], .previousField, "Previous field", "The field before"),
        Binding(.row, [.down], .lineDown, "Row below", "Edit the row below"),
        Binding(.row, [.up], .lineUp, "Row above", "Edit the row above"),
        Binding(.row, [.escape, .control("c")], .leave, "Leave", "Leave the field; the text stays, u takes it back", hint: 3),

        Binding(.field, [.left], .text(.left), "Left", "One character to the left"),
        Binding(.field, [.right], .text(.right), "Right", "One character to the right"),
        Binding(.field, [Key(.left, .control), .alt("b")], .text(.wordLeft), "Word left", "One word to the left"),
        Binding(.field, [Key(.right, .control), .alt("f")], .text(.wordRight), "Word right", "One word to the right"),
        Binding(.field, [.home, .control("a")], .text(.start), "Start", "To the start of the text"),
        Binding(.field, [.end], .text(.end), "End", "To the end of the text"),
        Binding(.field, [.backspace, .control("h")], .text(.deleteBefore), "Delete", "Delete the character before the cursor"),
        Binding(.field, [.delete, .control("d")], .text(.deleteAfter), "Delete", "Delete the character after the cursor"),
        Binding(
            .field, [.control("w"), Key(.backspace, .alt)], .text(.deleteWordBefore), "Delete word",
            "Delete the word before the cursor"),
        Binding(.field, [.control("u")], .text(.deleteToStart), "Clear", "Delete everything before the cursor"),
        Binding(.field, [.control("k")], .text(.deleteToEnd), "Cut", "Delete everything after the cursor"),

        Binding(.area, [.enter], .newLine, "New line", "Begin a new line"),
        Binding(.area, [.up], .lineUp, "Up", "One line up"),
        Binding(.area, [.down], .lineDown, "Down", "One line down"),
        Binding(.area, [.pageUp], .pageUp, "Page up", "Up by a page"),
        Binding(.area, [.pageDown], .pageDown, "Page down", "Down by a page"),
        Binding(.area, [.escape, .control("c")], .leave, "Leave", "Leave the body; the text stays, u takes it back", hint: 1),

        Binding(.popup, [.up], .move(.up), "Up", "Move up"),
        Binding(.popup, [.down], .move(.down), "Down", "Move down"),
        Binding(.popup, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
        Binding(.popup, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
        Binding(.popup, [.enter], .choose, "Choose", "Do what is selected", hint: 1),
        Binding(.popup, [.escape, .control("c")], .close, "Close", "Close without doing anything", hint: 2),
        Binding(.menu, [.home, .character("g")], .move(.first), "Start", "Move to the start"),
        Binding(.menu, [.end, .character("G")], .move(.last), "End", "Move to the end"),
        Binding(.menu, [.character("j")], .move(.down), "Down", "Move down"),
        Binding(.menu, [.character("k")], .move(.up), "Up", "Move up"),
        Binding(.menu, [.character("?"), .function(1), .character("q")], .close, "Close", "Close"),

        Binding(.area, [.control("f")], .formatBody, "Format", "Lay the JSON body out", hint: 2, unless: \.cannotFormatReason),

        Binding(.files, [.up], .move(.up), "Up", "Move up"),
        Binding(.files, [.down], .move(.down), "Down", "Move down"),
        Binding(.files, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
        Binding(.files, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
        Binding(.files, [.enter, .right], .choose, "Open", "Open the folder, or take the file", hint: 1),
        Binding(.files, [.left], .folderUp, "Up", "Go to the folder above; so does Backspace", hint: 2),
        Binding(.files, [.tab], .completeName, "Complete", "Type what all names shown begin with", hint: 3),
        Binding(.files, [.control("t")], .toggleHidden, "Hidden", "Show hidden files, or leave them out", hint: 4),
        Binding(.files, [.escape, .control("c")], .close, "Close", "Close without choosing", hint: 5),

        Binding(.reading, [.up, .character("k")], .move(.up), "Up", "Scroll up"),
        Binding(.reading, [.down, .character("j")], .move(.down), "Down", "Scroll down"),
        Binding(.reading, [.pageUp], .move(.pageUp), "Page up", "Scroll up by a page"),
        Binding(.reading, [.pageDown, .space], .move(.pageDown), "Page down", "Scroll down by a page"),
        Binding(.reading, [.home, .character("g")], .move(.first), "Start", "Go to the start"),
        Binding(.reading, [.end, .character("G")], .move(.last), "End", "Go to the end"),
        Binding(.reading, [.character("y")], .copy, "Copy", "Copy the text as it is shown", hint: 1),
        Binding(.reading, [.character("S")], .toggleSecrets, "Secrets", "Show secrets as they are, or mask them again", hint: 3),
        Binding(
            .reading, [.escape, .control("c"), .enter, .character("q")], .close, "Close", "Close without doing anything", hint: 2),

        Binding(.cookies, [.up, .character("k")], .move(.up), "Up", "Move up"),
        Binding(.cookies, [.down, .character("j")], .move(.down), "Down", "Move down"),
        Binding(.cookies, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
        Binding(.cookies, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
        Binding(.cookies, [.home, .character("g")], .move(.first), "Start", "Go to the first cookie"),
        Binding(.cookies, [.end, .character("G")], .move(.last), "End", "Go to the last cookie"),
        Binding(.cookies, [.enter, .character("e")], .editRow, "Edit", "Edit the cookie", hint: 1, unless: \.noCookieReason),
        Binding(.cookies, [.character("a")], .addRow, "Add", "Add a cookie", hint: 2),
        Binding(
            .cookies, [.character("d"), .delete], .deleteRow, "Delete", "Delete the cookie; u brings it back", hint: 3, unless: \.noCookieReason),
        Binding(.cookies, [.character("D")], .deleteDomain, "Domain", "Delete all cookies of the domain", hint: 4, unless: \.noCookieReason),
        Binding(.cookies, [.character("X")], .clearCookies, "All", "Delete all cookies of the jar", hint: 10, unless: \.noCookieReason),
        Binding(.cookies, [.character("u")], .undo, "Undo", "Bring back what was deleted last", hint: 5, unless: \.noCookieUndoReason),
        Binding(.cookies, [.character("/")], .search, "Filter", "Show the cookies that hold a text", hint: 6),
        Binding(.cookies, [.character("]")], .nextTab, "Next jar", "Show the jar of the next environment", hint: 9),
        Binding(.cookies, [.character("[")], .previousTab, "Previous jar", "Show the jar of the environment before"),
        Binding(.cookies, [.character("i")], .importCookies, "Import", "Take the cookies of a file in Netscape's format", hint: 7),
        Binding(
            .cookies, [.character("x")], .exportCookies, "Export", "Write the cookies to a file in Netscape's format", hint: 8,
            unless: \.noCookieReason),
        Binding(.cookies, [.character("y")], .copy, "Copy", "Copy the value", unless: \.noCookieReason),
        Binding(.cookies, [.character("S")], .toggleSecrets, "Secrets", "Show values as they are, or mask them again", hint: 11),
        Binding(.cookies, [.escape, .control("c"), .character("q")], .close, "Close", "Close the cookies", hint: 12),

        Binding(.form, [.enter], .accept, "OK", "Take the values", hint: 1),
        Binding(.form, [.tab, .down], .nextField, "Next", "Go to the next value", hint: 2),
        Binding(.form, [.backTab, .up], .previousField, "Previous", "Go to the value before"),
        Binding(.form, [.escape, .control("c")], .close, "Close", "Close without changing anything", hint: 4),
        Binding(.choice, [.space, .right], .toggle, "Change", "Take the next word", hint: 3),
        Binding(.choice, [.left], .fold, "Back", "Take the word before"),

        Binding(.prompt, [.enter], .accept, "OK", "Take the text", hint: 1),
        Binding(.prompt, [.escape, .control("c")], .close, "Close", "Close without doing anything", hint: 2),
    ]
}
