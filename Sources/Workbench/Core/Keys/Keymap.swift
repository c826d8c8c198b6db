internal import Terminal

/// The table of bindings that keys, footer, help and palette share.
struct Keymap: Sendable {
    var bindings: [Binding]

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
    func keyLabel(of command: Command) -> String? {
        bindings.first { $0.command == command && !$0.keys.isEmpty }?.keys.first?.label
    }

    /// The default bindings.
    static let standard = Keymap(bindings: paneBindings + generalBindings + textBindings)
}
