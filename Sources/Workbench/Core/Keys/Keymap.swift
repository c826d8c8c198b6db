internal import SortieTerminal

/// The key table that dispatch, footer, help and palette share; each feature contributes its rows.
struct Keymap: Sendable {
    var bindings: [Binding]
    /// The stacks of contexts that occur, the innermost context first.
    let stacks: [[Context]]

    init(_ features: [any Feature]) {
        // The first row of a command is the one of the palette, so the general rows precede those of popups.
        let ofPanes = features.filter { $0 is any PaneFeature }.flatMap(\.bindings)
        let ofOthers = features.filter { !($0 is any PaneFeature) }.flatMap(\.bindings)
        bindings = ofPanes + Keymap.generalBindings + ofOthers + Keymap.textBindings
        let ofFeatures = features.flatMap { feature in
            feature.stacks.map { feature is any PaneFeature ? $0 + [.everywhere, .always] : Context.ofPopup($0) }
        }
        let stacks = ofFeatures + Keymap.popupStacks.map(Context.ofPopup)
        let ofTyping = features.flatMap(\.stacksOfTyping)
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
