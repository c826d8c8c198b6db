internal import Terminal

/// A context in which a binding applies.
///
/// The focus determines a stack of contexts; the first one with a binding for the key is used.
enum Context: String, Hashable, Sendable, CaseIterable {
    case services = "Services"
    case request = "Request"
    case response = "Response"
    /// The response pane while it shows an untrusted server.
    case untrusted = "Refused certificate"
    case transfers = "Transfers"
    case runs = "Runs"
    case log = "Log"
    case history = "History"
    case monitor = "Monitor"
    /// Any pane, while no text is being typed.
    case panes = "Every pane"
    /// A search or filter text is being typed.
    case entry = "Search"
    /// A row or the URL of the request is being edited.
    case row = "Editing a row"
    /// A single-line text is being edited.
    case field = "Editing text"
    /// A body is being edited.
    case area = "Editing a body"
    /// A list in a popup.
    case popup = "Popup"
    /// A list in a popup without a filter field.
    case menu = "List"
    /// A popup that shows a folder.
    case files = "Choosing a file"
    /// The cookies popup.
    case cookies = "Cookies"
    /// A form in a popup.
    case form = "Form"
    /// A choice in a form.
    case choice = "Choosing a word"
    /// A text in a popup.
    case reading = "Reading"
    /// The comparison of two exchanges.
    case comparing = "Comparing"
    /// A popup with a text prompt.
    case prompt = "Question"
    /// Everywhere outside popups, also while text is being typed.
    case everywhere = "Everywhere"
    /// Everywhere, also in popups.
    case always = "Always"
}

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
}
