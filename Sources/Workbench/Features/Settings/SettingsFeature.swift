package import SortieBase
internal import SortieTerminal
package import WorkspaceModel

/// The settings of the user: applying them, and a list of them with their sources.
struct SettingsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.panes, [.character(",")], .settings, "Settings", "Show the settings with their sources, and edit their file")
                .alsoKnownAs("Preferences", "Configuration", "Theme", "Colors", "Keymap", "vi", "Emacs", "Mouse", "Options")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .settings else { return nil }
        Self.show(&state)
        return []
    }

    func places(_ state: AppState) -> [ListPopup.Item] {
        Self.rows(state.settings).map { row in
            .init(name: row.key, label: row.value, place: "Setting", keywords: [row.key]) { state in
                Self.show(&state)
                state.popups.change(ListPopup.self) { list in list.selected = list.items.firstIndex { $0.name == row.key } ?? 0 }
                return []
            }
        }
    }

    private static func show(_ state: inout AppState) {
        let settings = state.settings
        var items = rows(settings).map { row in
            let place = settings.places[row.key]
            return ListPopup.Item(
                name: row.key, label: row.value, place: place.map { "line \($0.line)" } ?? "default", isCurrent: place != nil
            ) { $0.editSettings(at: place) }
        }
        let problems = state.settingsProblems
        if !problems.isEmpty { items += [ListPopup.Item(label: ""), ListPopup.Item(label: "Invalid; the defaults apply")] }
        items += problems.map { problem in
            ListPopup.Item(label: "line \(problem.location.line):", detail: problem.message) { $0.editSettings(at: problem.location) }
        }
        state.show(ListPopup(title: "Settings", message: settings.path, items: items, showsDetail: !problems.isEmpty))
    }

    private static func rows(_ settings: Settings) -> [(key: String, value: String)] {
        func text(_ number: Int?) -> String { number.map { String($0) } ?? "automatic" }
        let programs = settings.openCommands.map { "\($0.mediaType): \($0.words[0])" }
        return [
            ("theme", settings.theme.rawValue), ("colors", settings.colours.rawValue), ("characters", settings.characters.rawValue),
            ("emoji", settings.emoji.rawValue), ("mouse", String(settings.usesMouse)),
            ("editor", settings.editor ?? "$VISUAL, $EDITOR or vi"), ("pager", settings.pager ?? "$PAGER or less"),
            ("clipboard", settings.clipboard.rawValue),
            ("open", programs.isEmpty ? "xdg-open" : programs.joined(separator: ", ")),
            ("downloads", settings.downloads ?? "the folder of the desktop"), ("confirm.quit", String(settings.confirmsQuit)),
            ("confirm.delete", String(settings.confirmsDeleting)), ("confirm.overwrite", String(settings.confirmsOverwriting)),
            ("confirm.discard", String(settings.confirmsDiscarding)), ("history.days", settings.historyDays.map { String($0) } ?? "180"),
            ("history.exchanges", settings.historyExchanges.map { String($0) } ?? "200000"),
            ("history.bodies", ByteCount(settings.historyBytes ?? 2_000_000_000).text),
            ("layout.services", text(settings.servicesWidth)), ("layout.request", text(settings.requestShare)),
            ("layout.bottom", text(settings.bottomHeight)), ("git", String(settings.showsGit)), ("keymap", settings.keymap.rawValue),
            ("keys", settings.keys.isEmpty ? "those of the keymap" : settings.keys.map(\.command).joined(separator: ", ")),
        ]
    }
}

extension Command {
    static let settings = Command.named("settings")
}

/// Editing the file of the settings.
struct EditSettingsJob: Job {}

extension AppState {
    /// Opens the settings file in the editor.
    mutating func editSettings(at place: SourceLocation?) -> [Effect] {
        [.editSettings(nextJob(EditSettingsJob()), SourceLocation(file: settings.path, line: place?.line ?? 1, column: place?.column ?? 1))]
    }

    /// Applies settings that were read again; panes whose borders the user moved keep their sizes.
    mutating func use(_ settings: Settings) {
        let before = self.settings
        guard settings != before else { return }
        self.settings = settings
        let (keymap, problems) = Keymap.keymap(features.all, settings)
        self.keymap = keymap
        settingsProblems = settings.problems + problems
        if splits == Layout.Splits(before) { splits = Layout.Splits(settings) }
        folders.downloads = settings.downloads ?? initialDownloads
        for problem in settingsProblems.dropFirst() { log.append(LogEntry(.warning, "\(problem)")) }
        if let first = settingsProblems.first {
            let others = settingsProblems.count - 1
            let text = "\(first.location.file):\(first.location.line): \(first.message)"
            notify(others > 0 ? "\(text), and \(others) more; \(key(.settings)) lists them" : text, .warning)
        } else if !before.path.isEmpty {
            toast = Toast("The settings were applied")
        }
    }

    /// What is invalid in the settings, including the names of commands and keys.
    package static func problems(of settings: Settings) -> [Diagnostic] {
        (settings.problems + Keymap.keymap(FeatureList.all.all, settings).problems).sorted { $0.location.line < $1.location.line }
    }
}

extension Layout.Splits {
    /// The sizes of the settings.
    init(_ settings: Settings) {
        self.init()
        servicesWidth = settings.servicesWidth
        bottomHeight = settings.bottomHeight
        requestShare = settings.requestShare.map { $0 * 10 }
    }
}
