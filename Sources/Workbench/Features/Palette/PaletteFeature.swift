internal import SortieTerminal

/// The command palette: every command by its name, with its key and its pane (Ctrl-P); those that are available come first.
struct PaletteFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .palette else { return nil }
        var seen: Set<Command> = []
        let bindings = state.keymap.bindings.filter { $0.command.isInPalette && seen.insert($0.command).inserted }
        let items = bindings.map { binding in
            let reason = binding.reason(state)
            return ListPopup.Item(
                key: binding.keys.first?.label ?? "", name: binding.label, label: binding.summary, detail: reason ?? "",
                place: binding.context.title, keywords: binding.synonyms, isUnavailable: reason != nil
            ) { $0.performFromList(binding.command) }
        }
        let available = items.filter { !$0.isUnavailable }
        let others = items.filter(\.isUnavailable)
        state.show(ListPopup(title: "Commands", items: available + others, filter: TextField(), emptyText: "No command matches."))
        return []
    }
}
