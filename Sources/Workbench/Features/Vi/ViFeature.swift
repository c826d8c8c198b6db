internal import SortieTerminal
internal import WorkspaceModel

/// Commands of vi in texts of several lines, where the keymap is that of vi.
///
/// A text begins in insert mode; Esc goes to normal mode, in which Esc leaves the text.
struct ViFeature: Feature {
    let stacksOfTyping: [[Context]] = [[.viInsert], [.viCommands], [.viPending, .viCommands]]

    var bindings: [Binding] {
        [
            Binding(.viInsert, [.escape], Self.command("\u{1B}"), "Normal mode", "End insertion; keys are commands of vi then", hint: 1),
            Binding(.viPending, [.escape], Self.command("\u{1B}"), "Cancel", "Discard the command that is incomplete", hint: 1),
            Binding(.viCommands, [.character("/")], .searchText, "Search", "Search in the text", hint: 3),
            Binding(.viCommands, [.character("n")], .nextInText, "Next match", "Select the next match"),
            Binding(.viCommands, [.character("N")], .previousInText, "Previous match", "Select the previous match"),
            Binding(.viCommands, [.character(":")], .palette, "Commands", "Choose a command by its name", hint: 4),
            Binding(.viCommands, [.enter], .lineDown, "Down", "One line down"),
            Binding(.viCommands, [.control("d"), .control("f")], .pageDown, "Page down", "Down by a page"),
            Binding(.viCommands, [.control("u"), .control("b")], .pageUp, "Page up", "Up by a page"),
        ]
            + Self.commands.map { key, summary in
                Binding(.viCommands, [.character(key)], Self.command(key), key == "i" ? "Insert" : String(key), summary, hint: key == "i" ? 2 : 0)
            }
    }

    /// The keys of normal mode; digits before them repeat them.
    private static let commands: [(Character, String)] = [
        ("i", "Insert before the cursor"), ("a", "Insert after the cursor"), ("I", "Insert before the first character of the line"),
        ("A", "Insert at the end of the line"), ("o", "Insert a line below"), ("O", "Insert a line above"),
        ("h", "Left"), ("j", "Down"), ("k", "Up"), ("l", "Right"), ("w", "To the next word"), ("b", "To the start of the word, or the word before"),
        ("e", "To the end of the word"), ("0", "To the start of the line"), ("^", "To the first character of the line"),
        ("$", "To the end of the line"), ("g", "gg: to the first line"), ("G", "To the last line, or to the line of the number"),
        ("x", "Delete the character"), ("X", "Delete the character before"), ("s", "Change the character"),
        ("d", "Delete: dd a line, dw a word, d$ and other movements"), ("c", "Change: cc a line, cw a word"), ("D", "Delete to the end of the line"),
        ("C", "Change to the end of the line"), ("y", "Yank: yy a line, yw a word"), ("p", "Put after the cursor, or lines below"),
        ("P", "Put before the cursor, or lines above"), ("u", "Undo"), ("U", "Redo"),
    ]

    private static let prefix = "vi "

    private static func command(_ key: Character) -> Command { .named(prefix + String(key), isInPalette: false) }

    func contextsOfTyping(_ state: AppState) -> [Context] {
        guard let mode = state.viMode else { return [] }
        return mode.isNormal ? (mode.isPending ? [.viPending] : []) + [.viCommands] : [.viInsert]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard case .named(let name, _) = command, name.hasPrefix(Self.prefix), let key = name.last else { return nil }
        return state.changeText(.vi(key, register: state.cutText))
    }

    func typed(_ change: TextChange, _ state: inout AppState) {
        if case .vi = change, let text = state.viMode?.register { state.cutText = text }
    }

    func alert(_ state: AppState) -> Span? { state.viMode.map { Span($0.label, .accent) } }
}

extension Context {
    /// A text of several lines with the keymap of vi, in insert mode.
    static let viInsert = Context("Insert mode of vi")
    /// A command of vi is incomplete.
    static let viPending = Context("Command of vi")
}

extension AppState {
    /// The mode of the text that is being edited; nil for a text of one line, and without the keymap of vi.
    var viMode: ViMode? { settings.keymap == .vi ? typedText?.mode : nil }
}
