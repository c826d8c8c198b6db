internal import SortieTerminal

/// A binding of keys to a command.
struct Binding: Sendable {
    /// The context in which it applies.
    var context: Context
    /// The keys, the displayed one first; empty for a command that only the palette has.
    var keys: [Key]
    var command: Command
    /// The label for the footer, in one or two words.
    var label: String
    /// The description for the help and the palette.
    var summary: String
    /// Other words under which the palette finds the command.
    var synonyms: [String] = []
    /// The order in the footer, starting at 1; 0 excludes it.
    var hint: Int
    /// The reason why the command is unavailable; nil when it is available.
    var reason: @Sendable (AppState) -> String?

    init(
        _ context: Context, _ keys: [Key], _ command: Command, _ label: String, _ summary: String, hint: Int = 0,
        unless reason: @escaping @Sendable (AppState) -> String? = { _ in nil }
    ) {
        self.context = context
        self.keys = keys
        self.command = command
        self.label = label
        self.summary = summary
        self.hint = hint
        self.reason = reason
    }

    /// A copy that the palette also finds under `words`.
    func alsoKnownAs(_ words: String...) -> Binding {
        var copy = self
        copy.synonyms = words
        return copy
    }
}
