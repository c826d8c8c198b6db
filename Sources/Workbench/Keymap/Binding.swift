internal import Terminal

/// Where a binding works.
///
/// What has the focus makes a stack of contexts; the first that knows a key decides.
enum Context: String, Hashable, Sendable, CaseIterable {
    case services = "Services"
    case request = "Request"
    case response = "Response"
    /// The response pane while it shows a server that was not trusted.
    case untrusted = "Refused certificate"
    case transfers = "Transfers"
    case runs = "Runs"
    case log = "Log"
    case history = "History"
    case monitor = "Monitor"
    /// Any pane, no text being entered.
    case panes = "Every pane"
    /// A search or filter text is being typed.
    case entry = "Search"
    /// A row of the request, or its URL, is being edited.
    case row = "Editing a row"
    /// One line of text is being entered.
    case field = "Editing text"
    /// A body is being edited.
    case area = "Editing a body"
    /// A list in a popup.
    case popup = "Popup"
    /// A list in a popup without a text to type.
    case menu = "List"
    /// A popup that shows a folder.
    case files = "Choosing a file"
    /// The cookies of a jar.
    case cookies = "Cookies"
    /// A popup with several values.
    case form = "Form"
    /// One of several words is chosen in a form.
    case choice = "Choosing a word"
    /// A text in a popup.
    case reading = "Reading"
    /// Two exchanges side by side.
    case comparing = "Comparing"
    /// A popup that asks for a text.
    case prompt = "Question"
    /// Wherever no popup is open, also while typing.
    case everywhere = "Everywhere"
    /// Really everywhere.
    case always = "Always"
}

/// One row of the keymap.
struct Binding: Sendable {
    /// Where it works.
    var context: Context
    /// Its keys, the one to show first; none for a command that only the palette has.
    var keys: [Key]
    var command: Command
    /// One or two words for the footer.
    var label: String
    /// What it does, in a sentence for help and palette.
    var summary: String
    /// How early it is named in the footer: 1 first, 0 never.
    var hint: Int
    /// Why it does nothing now; nil when it works.
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
