import SortieTerminal
import Testing

struct KeyTests {
    @Test(arguments: [
        (Key.control("r"), "^R"), (.function(5), "F5"), (.enter, "Enter"), (.up, "↑"), (.escape, "Esc"), (.backTab, "Shift-Tab"),
        (.tab, "Tab"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.home, "Home"), (.end, "End"), (.delete, "Del"), (.insert, "Ins"),
        (.backspace, "Backspace"), (.space, "Space"), (.character("a"), "a"), (.character("T"), "T"), (.character("/"), "/"),
        (.character("?"), "?"), (.character("["), "["), (.character("-"), "-"), (.character("+"), "+"), (.character("^"), "^"),
        (.alt("x"), "Alt-x"), (.alt("X"), "Alt-X"), (.control(" "), "Ctrl-Space"), (Key(.left, .control), "Ctrl-←"),
        (Key(.character("r"), [.alt, .control]), "Alt-^R"), (Key(.up, [.shift, .control]), "Shift-Ctrl-↑"), (.control("-"), "^-"),
        (Key(.backTab, .control), "Shift-Ctrl-Tab"), (.character("漢"), "漢"), (.control("_"), "^_"),
    ])
    func `the label of a key is parsed as the key`(key: Key, label: String) {
        #expect(key.label == label)
        #expect(Key(label: label) == key)
    }

    @Test(arguments: [
        ("ctrl-r", Key.control("r")), ("Ctrl+R", .control("r")), ("^r", .control("r")), ("control-r", .control("r")),
        ("f5", .function(5)), ("shift-tab", .backTab), ("backtab", .backTab), ("page-up", .pageUp), ("PageDown", .pageDown),
        ("return", .enter), ("escape", .escape), ("alt+x", .alt("x")), ("m-x", .alt("x")), ("C-x", .control("x")),
        ("shift-a", .character("A")), ("Shift-Up", Key(.up, .shift)), ("space", .space),
        ("ctrl-alt-delete", Key(.delete, [.control, .alt])),
    ])
    func `a settings file may use longer names`(name: String, key: Key) {
        #expect(Key(label: name) == key)
    }

    @Test(arguments: ["", "ctrl-", "^", "hyper-x", "f0", "f25", "f", "nokey", "\u{1B}", "shift-"])
    func `a name without a key is rejected, or is a single character`(name: String) {
        let key = Key(label: name)
        #expect(name.count == 1 && name != "\u{1B}" ? key == .character(Character(name)) : key == nil)
    }
}
