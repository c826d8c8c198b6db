internal import SortieTerminal

/// The command palette: every command by its name, with its key (Ctrl-P).
struct PaletteFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .palette else { return nil }
        var seen: Set<Command> = []
        let bindings = state.keymap.bindings.filter { $0.command.isInPalette && seen.insert($0.command).inserted }
        let items = bindings.map { binding in
            ListPopup.Item(
                key: binding.keys.first?.label ?? "", label: binding.summary, detail: binding.reason(state) ?? "",
                isUnavailable: binding.reason(state) != nil
            ) { $0.performFromList(binding.command) }
        }
        state.show(ListPopup(title: "Commands", items: items, filter: TextField(), emptyText: "No command matches."))
        return []
    }
}
