internal import SortieTerminal

/// The palette (Ctrl-P): every command by its name, with its key and its pane, and what the features have to go to, such as endpoints, runs,
/// environments, exchanges, settings and the guide, which is displayed where the typed text finds it.
///
/// What was chosen last comes first, then the commands of the focused pane and the general ones, and those that are not available last.
struct PaletteFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .palette else { return nil }
        let pane = state.focusedPane.context
        let panes = state.features.panes
        let unfocused = panes.filter { $0.context != pane }.map { $0 as any Feature } + state.features.others
        let features = panes.filter { $0.context == pane }.map { $0 as any Feature } + unfocused
        let commands = Self.commands(state).map(\.remembered)
        let places = features.flatMap { $0.places(state) }.map(\.remembered)
        let recent = state.states[PaletteState.self].recent
        let all = commands + places
        let chosen = recent.compactMap { key in all.first { $0.recentKey == key && !$0.isUnavailable } }
        func others(_ items: [ListPopup.Item]) -> [ListPopup.Item] {
            recent.isEmpty ? items : items.filter { !recent.contains($0.recentKey) || $0.isUnavailable }
        }
        var list = ListPopup(title: "Commands and places", items: chosen + others(commands), filter: TextField())
        list.add(further: others(places))
        let id = state.show(list)
        return features.flatMap { $0.requestPlaces(for: id, &state) }
    }

    private static func commands(_ state: AppState) -> [ListPopup.Item] {
        var seen: Set<Command> = []
        let bindings = state.keymap.bindings.filter { $0.command.isInPalette && seen.insert($0.command).inserted }
        let contexts = state.contexts
        var (here, elsewhere, unavailable): ([ListPopup.Item], [ListPopup.Item], [ListPopup.Item]) = ([], [], [])
        for binding in bindings {
            let reason = binding.reason(state)
            var item = ListPopup.Item(
                key: binding.keys.first?.label ?? "", name: binding.label, label: binding.summary, detail: reason ?? "",
                place: binding.context.title, keywords: binding.synonyms, isUnavailable: reason != nil
            ) { $0.performFromList(binding.command) }
            // A general command is more likely meant than one of another pane with the same name, also where it is not available.
            item.isOfOtherPane = !contexts.contains(binding.context)
            if reason != nil {
                unavailable.append(item)
            } else if contexts.contains(binding.context) {
                here.append(item)
            } else {
                elsewhere.append(item)
            }
        }
        return here + elsewhere + unavailable
    }
}

/// What was chosen in the palette.
struct PaletteState: FeatureState {
    private static let limit = 8

    /// The rows that were chosen last, the latest first, by ``ListPopup/Item/recentKey``.
    private(set) var recent: [String] = []

    mutating func choose(_ key: String) {
        recent.removeAll { $0 == key }
        recent = Array(([key] + recent).prefix(Self.limit))
    }
}

extension ListPopup.Item {
    /// What identifies the row in another list of the palette.
    fileprivate var recentKey: String { "\(place)\n\(name)\n\(keywords.first ?? "")" }

    /// The row, which is among the recent ones after it was chosen.
    fileprivate var remembered: ListPopup.Item {
        guard let choice else { return self }
        var item = self
        item.choice = { [recentKey] state in
            state.states[PaletteState.self].choose(recentKey)
            return choice(&state)
        }
        return item
    }
}
