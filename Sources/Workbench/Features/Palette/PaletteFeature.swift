internal import SortieTerminal

/// The command palette: every command by its name, with its key and its pane (Ctrl-P); those that are available come first.
struct PaletteFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .palette else { return nil }
        var seen: Set<Command> = []
        let bindings = state.keymap.bindings.filter { $0.command.isInPalette && seen.insert($0.command).inserted }
        // The commands of the focused pane and the general ones come before those of other panes, unavailable ones last.
        let contexts = state.contexts
        var (here, elsewhere, unavailable): ([ListPopup.Item], [ListPopup.Item], [ListPopup.Item]) = ([], [], [])
        for binding in bindings {
            let reason = binding.reason(state)
            let item = ListPopup.Item(
                key: binding.keys.first?.label ?? "", name: binding.label, label: binding.summary, detail: reason ?? "",
                place: binding.context.title, keywords: binding.synonyms, isUnavailable: reason != nil
            ) { $0.performFromList(binding.command) }
            if reason != nil {
                unavailable.append(item)
            } else if contexts.contains(binding.context) {
                here.append(item)
            } else {
                elsewhere.append(item)
            }
        }
        state.show(ListPopup(title: "Commands", items: here + elsewhere + unavailable, filter: TextField(), emptyText: "No command matches."))
        return []
    }
}
