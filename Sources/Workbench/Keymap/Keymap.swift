internal import Terminal

/// The one table that keys, footer, help and palette are read from.
struct Keymap: Sendable {
    var bindings: [Binding]

    /// What a key does in a stack of contexts.
    func binding(for key: Key, in contexts: [Context]) -> Binding? {
        for context in contexts {
            if let binding = bindings.first(where: { $0.context == context && $0.keys.contains(key) }) { return binding }
        }
        return nil
    }

    /// The bindings of a stack of contexts, the nearest context first.
    func bindings(in contexts: [Context]) -> [Binding] {
        contexts.flatMap { context in bindings.filter { $0.context == context } }
    }

    /// The key to show for a command.
    func keyLabel(of command: Command) -> String? {
        bindings.first { $0.command == command && !$0.keys.isEmpty }?.keys.first?.label
    }

    /// The keys that Sortie comes with.
    static let standard = Keymap(bindings: paneBindings + generalBindings + textBindings)
}
