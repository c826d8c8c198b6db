package import SortieBase
internal import SortieTerminal
package import WorkspaceModel

/// The settings of the user: applying them, and changing them in their file.
struct SettingsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.panes, [.character(",")], .settings, "Settings", "Show the settings with their sources, and change them")
                .alsoKnownAs("Preferences", "Configuration", "Mouse", "Options"),
            Binding(.everywhere, [], .chooseTheme, "Theme", "Choose the colours, with a preview")
                .alsoKnownAs("Colors", "Colours", "Dark mode", "Light mode", "Solarized", "Gruvbox", "Nord", "Dracula", "Color blind"),
            Binding(.everywhere, [], .chooseKeymap, "Keymap", "Choose the keys of vi or Emacs, with what they add")
                .alsoKnownAs("vi", "vim", "Emacs", "Keyboard", "Keyboard layout"),
            Binding(.everywhere, [], .chooseKeys, "Keys of commands", "Change the keys of single commands")
                .alsoKnownAs("Key bindings", "Rebind", "Keyboard shortcuts"),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .settings: Self.show(&state)
        case .chooseTheme: return Self.edit("theme", &state)
        case .chooseKeymap: return Self.edit("keymap", &state)
        case .chooseKeys: Self.showKeys(&state)
        default: return nil
        }
        return []
    }

    func places(_ state: AppState) -> [ListPopup.Item] {
        SettingKey.all.map { key -> ListPopup.Item in
            // The number of colours is rarely meant by a person who types “colors”; the command for the theme has the word as a synonym.
            let handicap = key.path == "colors" ? 100 : 0
            return .init(name: key.path, label: key.text(state.settings), place: "Setting", keywords: [key.path], handicap: handicap) { state in
                Self.show(&state, selecting: key.path)
                return []
            }
        }
    }

    /// Shows the list.
    ///
    /// - Parameter path: The key of the row that is selected; nil for the first one.
    static func show(_ state: inout AppState, selecting path: String? = nil) {
        let settings = state.settings
        func row(_ path: String, _ value: String, choice: @escaping ListPopup.Choice) -> ListPopup.Item {
            let place = settings.places[path]
            return ListPopup.Item(
                name: path, label: value, place: place.map { "line \($0.line)" } ?? "default", isCurrent: place != nil, choice: choice)
        }
        func names(_ list: [String], _ none: String) -> String { list.isEmpty ? none : list.joined(separator: ", ") }
        var items = SettingKey.all.map { key in row(key.path, key.text(settings)) { edit(key.path, returns: true, &$0) } }
        items += [
            row("keys", names(settings.keys.map(\.command), "those of the keymap")) {
                showKeys(&$0)
                return []
            },
            row("open", names(settings.openCommands.map { "\($0.mediaType): \($0.words[0])" }, "xdg-open")) {
                showPrograms(&$0)
                return []
            },
            row("themes", names(settings.themes.map(\.name), "those of the program")) { $0.editSettings(at: settings.places["themes"]) },
            ListPopup.Item(name: "", label: "Edit the file in the editor") { $0.editSettings(at: nil) },
        ]
        let selected = items.firstIndex { $0.name == path } ?? 0
        let problems = state.settingsProblems
        if !problems.isEmpty { items += [ListPopup.Item(label: ""), ListPopup.Item(label: "Invalid; the defaults apply")] }
        items += problems.map { problem in
            ListPopup.Item(label: "line \(problem.location.line):", detail: problem.message) { $0.editSettings(at: problem.location) }
        }
        state.show(
            ListPopup(title: "Settings", message: settings.path, items: items, guideAddress: "settings"))
        state.popups.change(ListPopup.self) { $0.selected = selected }
    }

    // MARK: Single values

    /// Changes the value of a key: a switch at once, a word in a list with a preview, another value in a prompt.
    private static func edit(_ path: String, returns: Bool = false, _ state: inout AppState) -> [Effect] {
        guard let key = SettingKey.all.first(where: { $0.path == path }) else { return [] }
        let current = key.text(state.settings)
        let list: ChangeSettingJob.List? = returns ? .settings : nil
        @Sendable func change(_ value: SettingValue?, _ state: inout AppState) -> [Effect] {
            state.start(ChangeSettingJob(keys: key.keys, value: value, list: list))
        }
        switch key.form {
        case .flag: return change(.text(current == "true" ? "false" : "true"), &state)
        case .theme:
            let themes = Theme.themes(of: state.settings).themes
            show(key, themes.map { ($0.name, $0.summary) }, { $1.theme = $0 }, change, &state)
        case .words(let words, _, let set):
            let features = state.features
            let choices: [(name: String, detail: String)] = words.map { word in
                (word, path == "keymap" ? Keymap.summary(of: Settings.Keymap(rawValue: word), features) : "")
            }
            show(key, choices, set, change, &state)
        case .number, .size, .command, .folder:
            let isSet = state.settings.places[path] != nil
            let advice = "\(key.summary); empty for the default: \(key.standard)"
            state.popups.push(
                Prompt(path, isSet ? current : "", placeholder: key.standard, message: advice) { prompt, state in
                    state.popups.pop()
                    let text = prompt.text.trimmingBlanks
                    return state.start(
                        ChangeSettingJob(keys: key.keys, value: text.isEmpty ? nil : .text(text), list: list, prompt: prompt))
                })
        }
        return []
    }

    private static func show(
        _ key: SettingKey, _ choices: [(name: String, detail: String)], _ set: @escaping @Sendable (String, inout Settings) -> Void,
        _ change: @escaping @Sendable (SettingValue?, inout AppState) -> [Effect], _ state: inout AppState
    ) {
        let current = key.text(state.settings)
        func item(_ label: String, _ detail: String, _ value: String, isCurrent: Bool, _ written: SettingValue?) -> ListPopup.Item {
            var item = ListPopup.Item(label: label, detail: detail, isCurrent: isCurrent) { change(written, &$0) }
            item.preview = { set(value, &$0) }
            return item
        }
        var items = choices.map { item($0.name, $0.detail, $0.name, isCurrent: $0.name == current, .text($0.name)) }
        items.append(item("Default", key.standard, key.standard, isCurrent: false, nil))
        state.show(ListPopup(title: key.path, items: items, guideAddress: "settings"))
    }

    // MARK: Keys and programs

    /// The commands with their keys, each of which can be changed.
    private static func showKeys(_ state: inout AppState) {
        let bindings = state.keymap.bindings.filter { $0.command.isInPalette }
        let items = bindings.map { binding in
            let isShared = bindings.contains { $0.label.lowercased() == binding.label.lowercased() && $0.command != binding.command }
            let name = isShared ? "\(binding.context.title)/\(binding.label)" : binding.label
            let keys = binding.keys.map(\.label).joined(separator: " ")
            return ListPopup.Item(key: keys, name: binding.label, label: binding.summary, place: binding.context.title, keywords: binding.synonyms) {
                askForKeys(of: name, keys, &$0)
                return []
            }
        }
        state.show(
            ListPopup(title: "Keys of commands", items: items, filter: TextField(), guideAddress: "settings#keys", emptyText: "No command matches."))
    }

    private static func askForKeys(of name: String, _ keys: String, _ state: inout AppState) {
        // The name as the file has it, so that its line is changed.
        let written = state.settings.keys.first { assignment in
            let command = assignment.command.lowercased()
            return command == name.lowercased() || name.lowercased().hasSuffix("/" + command)
        }?.command
        let advice = "Keys such as Ctrl-R, Alt-x, F5, Enter or a letter, with blanks between them; empty for those of the keymap, none for no key"
        state.popups.push(
            Prompt("Keys of \(name)", keys, message: advice) { prompt, state in
                state.popups.pop()
                let words = prompt.text.split(separator: " ").map(String.init)
                let isNone = words == ["none"]
                if !isNone, let wrong = words.first(where: { Key(label: $0) == nil }) {
                    state.askAgain(prompt, Keymap.message(aboutKey: wrong))
                    return []
                }
                let value: SettingValue? = words.isEmpty ? nil : .list(isNone ? [] : words)
                return state.start(ChangeSettingJob(keys: ["keys", written ?? name], value: value, list: .keys, prompt: prompt))
            })
    }

    /// The programs for bodies by media type.
    private static func showPrograms(_ state: inout AppState) {
        let items = state.settings.openCommands.map { command in
            ListPopup.Item(name: command.mediaType, label: command.words.joined(separator: " ")) {
                askForProgram(command.mediaType, command.words.joined(separator: " "), &$0)
                return []
            }
        }
        let add = ListPopup.Item(label: "Add a media type") {
            askForProgram(nil, "", &$0)
            return []
        }
        state.show(ListPopup(title: "Programs for bodies", items: items + [add], guideAddress: "settings#clipboard-and-programs"))
    }

    private static func askForProgram(_ type: String?, _ command: String, _ state: inout AppState) {
        let advice = type == nil ? "A media type and a program, such as image/* feh -F" : "The program; empty for that of the desktop"
        state.popups.push(
            Prompt(type ?? "Add a program", command, placeholder: "xdg-open", message: advice) { prompt, state in
                state.popups.pop()
                var words = prompt.text.split(separator: " ").map(String.init)
                guard let type = type ?? words.first else { return [] }
                if type == words.first { words.removeFirst() }
                let value: SettingValue? = words.isEmpty ? nil : .text(words.joined(separator: " "))
                return state.start(ChangeSettingJob(keys: ["open", type], value: value, list: .programs, prompt: prompt))
            })
    }

    /// Shows the list from which a value was changed.
    fileprivate static func show(_ list: ChangeSettingJob.List, _ path: String, _ state: inout AppState) {
        switch list {
        case .settings: show(&state, selecting: path)
        case .keys: showKeys(&state)
        case .programs: showPrograms(&state)
        }
    }
}

/// Changing a value of the settings file.
package struct ChangeSettingJob: WorkJob {
    /// A list that is shown again after the change.
    enum List: Sendable {
        case settings, keys, programs
    }

    /// The keys from the root of the file.
    package let keys: [String]
    /// The value; nil for the default.
    package let value: SettingValue?
    let list: List?
    /// The prompt that is shown again with what is wrong with the value.
    var prompt: Prompt?

    func finish(_ outcome: Result<Settings, Diagnostic>, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .success(let settings):
            state.use(settings)
            if let list, !state.isOccupied { SettingsFeature.show(list, keys.joined(separator: "."), &state) }
        case .failure(let problem):
            if let prompt { state.askAgain(prompt, problem.message) } else { state.notify(problem.message, .error) }
        }
        return []
    }
}

extension Command {
    static let settings = Command.named("settings")
    static let chooseTheme = Command.named("chooseTheme")
    static let chooseKeymap = Command.named("chooseKeymap")
    static let chooseKeys = Command.named("chooseKeys")
}

/// Editing the file of the settings.
struct EditSettingsJob: Job {}

extension AppState {
    /// The settings that apply on the screen: those of the choice that is selected in a list with previews, else those of the user.
    package var displayedSettings: Settings {
        guard let list = popup as? ListPopup, list.items.first?.preview != nil, let preview = list.chosen?.preview else { return settings }
        var previewed = settings
        preview(&previewed)
        return previewed
    }

    /// Opens the settings file in the editor.
    mutating func editSettings(at place: SourceLocation?) -> [Effect] {
        [.editSettings(nextJob(EditSettingsJob()), SourceLocation(file: settings.path, line: place?.line ?? 1, column: place?.column ?? 1))]
    }

    /// Applies settings that were read again; panes whose borders the user moved keep their sizes.
    mutating func use(_ settings: Settings) {
        let before = self.settings
        guard settings != before else { return }
        self.settings = settings
        let (keymap, problems) = Keymap.keymap(features, settings)
        self.keymap = keymap
        settingsProblems = settings.problems + problems + Theme.theme(of: settings).problems
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
        (settings.problems + Keymap.keymap(FeatureList.all, settings).problems + Theme.theme(of: settings).problems)
            .sorted { $0.location.line < $1.location.line }
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
