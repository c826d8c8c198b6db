internal import SortieBase
internal import WorkspaceModel

extension WorkspaceKeys {
    static let settings = WorkspaceKeys(
        "Settings", "`$XDG_CONFIG_HOME/sortie/config.yaml`",
        [
            Key("theme", "`automatic`, `dark`, `light` or `contrast`", "the colours; `automatic` is readable on light and dark backgrounds"),
            Key("colors", "`256`, `16`, `8` or `none`", "the largest number of colours; a terminal with fewer uses what it has"),
            Key("mouse", "`true` or `false`", "whether the mouse selects, scrolls, opens and drags borders"),
            Key("editor", "command", "the editor; by default `$VISUAL`, `$EDITOR` or `vi`"),
            Key("pager", "command", "the pager of `sortie guide`; by default `$PAGER` or `less`"),
            Key("downloads", "folder", "the folder for downloads of the workbench; by default that of the desktop"),
            Key("confirm", "*Confirmations*", "what is asked before it happens"),
            Key("layout", "*Layout*", "the sizes of the panes"),
            Key("keymap", "`standard`, `vi` or `emacs`", "keys that are bound besides those of the table"),
            Key("keys", "mapping of names to a key or a list of keys", "other keys for single commands, by their names in the palette"),
        ])
    static let confirmations = WorkspaceKeys(
        "Confirmations", "`confirm:` of the settings",
        [Key("quit", "`true` or `false`", "ask before quitting while something is running or not saved")])
    static let layout = WorkspaceKeys(
        "Layout", "`layout:` of the settings",
        [
            Key("services", "14 to 200", "the width of Services in columns"),
            Key("request", "5 to 95", "the share of Request of the width or height that it shares with Response, in percent"),
            Key("bottom", "1 to 200", "the height of the bottom pane in rows"),
        ])
}

extension NodeReader {
    /// Fills `settings` with the content of the settings file; invalid values keep their defaults.
    mutating func fill(_ settings: inout Settings, from root: YAMLNode?) {
        guard let root else { return }
        let fields = fields(root, of: "config.yaml", known: .settings)
        for (key, node) in fields { settings.places[key] = place(node) }
        if let word = word(fields["theme"], "theme", of: Settings.Theme.allCases.map(\.rawValue)) {
            settings.theme = Settings.Theme(rawValue: word) ?? settings.theme
        }
        if let word = word(fields["colors"], "colors", of: Settings.Colours.allCases.map(\.rawValue)) {
            settings.colours = Settings.Colours(rawValue: word) ?? settings.colours
        }
        settings.usesMouse = bool(fields["mouse"], "mouse") ?? settings.usesMouse
        settings.editor = name(fields["editor"], "editor")
        settings.pager = name(fields["pager"], "pager")
        if let node = fields["downloads"], let folder = name(node, "downloads") {
            let path = HomeFolder.expanding(folder)
            if FilePath.isAbsolute(path) {
                settings.downloads = path
            } else {
                report(node, "downloads must begin with / or ~/, not “\(folder.shortened)”")
            }
        }
        if let node = fields["confirm"] {
            let inner = self.fields(node, of: "confirm", known: .confirmations)
            for (key, node) in inner { settings.places["confirm.\(key)"] = place(node) }
            settings.confirmsQuit = bool(inner["quit"], "quit") ?? settings.confirmsQuit
        }
        if let node = fields["layout"] {
            let inner = self.fields(node, of: "layout", known: .layout)
            for (key, node) in inner { settings.places["layout.\(key)"] = place(node) }
            settings.servicesWidth = integer(inner["services"], "services", in: 14...200)
            settings.requestShare = integer(inner["request"], "request", in: 5...95)
            settings.bottomHeight = integer(inner["bottom"], "bottom", in: 1...200)
        }
        if let word = word(fields["keymap"], "keymap", of: Settings.Keymap.allCases.map(\.rawValue)) {
            settings.keymap = Settings.Keymap(rawValue: word) ?? settings.keymap
        }
        for pair in pairs(fields["keys"], of: "keys") {
            let keys = list(pair.value, "keys of \(pair.name)").map(\.text)
            settings.keys.append(.init(command: pair.name, keys: keys, location: place(pair.key)))
        }
    }
}
