internal import SortieTerminal

/// The key table that dispatch, footer, help and palette share; each feature contributes its rows.
struct Keymap: Sendable {
    var bindings: [Binding]
    /// The stacks of contexts that occur, the innermost context first.
    let stacks: [[Context]]

    init(_ features: FeatureList) {
        // The first row of a command is the one of the palette, so the general rows precede those of popups.
        let ofPanes = features.panes.flatMap(\.bindings)
        let ofOthers = features.others.flatMap(\.bindings)
        bindings = ofPanes + Keymap.generalBindings + ofOthers + Keymap.textBindings
        let stacksOfPanes = features.panes.flatMap(\.stacks).map { $0 + [.everywhere, .always] }
        let stacksOfOthers = features.others.flatMap(\.stacks).map(Context.ofPopup)
        let stacks = stacksOfPanes + stacksOfOthers + Keymap.popupStacks.map(Context.ofPopup)
        let ofTyping = features.all.flatMap(\.stacksOfTyping)
        self.stacks = stacks + stacks.filter { $0.contains(.field) }.flatMap { stack in ofTyping.map { $0 + stack } }
    }

    /// The binding of a key in a stack of contexts.
    func binding(for key: Key, in contexts: [Context]) -> Binding? {
        for context in contexts {
            if let binding = bindings.first(where: { $0.context == context && $0.keys.contains(key) }) { return binding }
        }
        return nil
    }

    /// The bindings of a stack of contexts, the innermost first.
    func bindings(in contexts: [Context]) -> [Binding] {
        contexts.flatMap { context in bindings.filter { $0.context == context } }
    }

    /// The displayed key of a command.
    ///
    /// - Parameter context: The context of the key; nil for the first one that has a key for the command.
    func keyLabel(of command: Command, in context: Context? = nil) -> String? {
        bindings.first { $0.command == command && !$0.keys.isEmpty && (context == nil || $0.context == context) }?.keys.first?.label
    }
}

extension AppState {
    /// The contexts of keys, the innermost first.
    var contexts: [Context] {
        let contexts = popup.map { Context.ofPopup($0.contexts) } ?? focusedPane.contexts(self) + [.everywhere, .always]
        return contexts.contains(.field) ? features.all.flatMap { $0.contextsOfTyping(self) } + contexts : contexts
    }

    /// The current label of a binding, which may depend on the state.
    func label(of binding: Binding) -> String {
        if binding.command == .chooseCompletion, completionList?.keepsTyped == true { return "Next field" }
        if let popup { return popup.label(of: binding.command) ?? binding.label }
        if binding.command == .back {
            if focusedPane.hasSearchOrFilter(self) { return focusedPane.label(of: .back, self) ?? "Clear search" }
            if isAwaitingPopup { return "Cancel" }
            return focusedPane.label(of: .back, self) ?? (isZoomed ? "Unzoom" : "Clear")
        }
        return focusedPane.label(of: binding.command, self) ?? binding.label
    }

    /// The displayed key of a command as part of a message; the name of the command in the palette when it has no key.
    func key(_ command: Command, in context: Context? = nil) -> String {
        keymap.keyLabel(of: command, in: context) ?? keymap.bindings.first { $0.command == command }?.label ?? ""
    }
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

/// A context in which a binding applies.
///
/// The focus determines a stack of contexts; the first one with a binding for the key is used. Features declare the contexts of their
/// panes and popups.
struct Context: Hashable, Sendable {
    /// The title in the help.
    let title: String

    init(_ title: String) {
        self.title = title
    }

    /// Any pane, while no text is being typed.
    static let panes = Context("Every pane")
    /// A search or filter text is being typed.
    static let entry = Context("Search")
    /// A single-line text is being edited.
    static let field = Context("Editing text")
    /// A text of several lines with the keymap of vi, in normal mode: characters are commands.
    static let viCommands = Context("Normal mode of vi")
    /// A list in a popup.
    static let popup = Context("Popup")
    /// A list in a popup without a filter field.
    static let menu = Context("List")
    /// Any popup, while no text is being typed in it.
    static let popups = Context("Every popup")
    /// A form in a popup.
    static let form = Context("Form")
    /// A choice in a form.
    static let choice = Context("Choosing a word")
    /// A text in a popup.
    static let reading = Context("Reading")
    /// A popup with a text prompt.
    static let prompt = Context("Question")
    /// Everywhere outside popups, also while text is being typed.
    static let everywhere = Context("Everywhere")
    /// Everywhere, also in popups.
    static let always = Context("Always")

    /// The contexts of a popup and those that apply in every popup.
    static func ofPopup(_ contexts: [Context]) -> [Context] {
        contexts + (contexts.contains(.field) ? [] : [.popups]) + [.always]
    }

    /// The contexts while a search or a filter is being typed.
    static let typingSearch = [Context.entry, .field]
}
