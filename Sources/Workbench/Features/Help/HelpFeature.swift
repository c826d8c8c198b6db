internal import SortieTerminal

/// The keys that work in the current state.
struct HelpFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .help else { return nil }
        let contexts = state.contexts
        var items: [ListPopup.Item] = []
        for context in contexts {
            let bindings = state.keymap.bindings.filter { $0.context == context && !$0.keys.isEmpty }
            guard !bindings.isEmpty else { continue }
            if !items.isEmpty { items.append(.init(label: "")) }
            items.append(.init(label: context.title))
            items += bindings.map { item(for: $0, state) }
        }
        let list = ListPopup(
            title: "Keys for \(contexts.first?.title ?? "here")", items: items, filter: TextField(), emptyText: "No key matches.")
        // A popup is shown again when its help closes.
        if state.popups.isEmpty { state.show(list) } else { state.popups.push(list) }
        return []
    }

    private func item(for binding: Binding, _ state: AppState) -> ListPopup.Item {
        let keys = binding.keys.map(\.label).joined(separator: " ")
        let reason = binding.reason(state)
        let words = [binding.label] + binding.synonyms
        guard binding.command.isInPalette else {
            return .init(key: keys, label: binding.summary, detail: reason ?? "", keywords: words) { _ in [] }
        }
        return .init(key: keys, label: binding.summary, detail: reason ?? "", keywords: words, isUnavailable: reason != nil) {
            $0.performFromList(binding.command)
        }
    }
}
