internal import SortieBase
internal import WorkspaceModel

extension WorkspaceKeys {
    static let settings = WorkspaceKeys(
        "Settings", "`$XDG_CONFIG_HOME/sortie/config.yaml`",
        [
            Key("theme", "`automatic`, `dark`, `light` or `contrast`", "the colours; `automatic` is readable on light and dark backgrounds"),
            Key("colors", "`256`, `16`, `8` or `none`", "the largest number of colours; a terminal with fewer uses what it has"),
            Key("characters", "`automatic`, `unicode` or `ascii`", "borders, bars and marks; `automatic` is ASCII in a locale without UTF-8"),
            Key("emoji", "`automatic`, `whole` or `first`", "how families and skin tones are drawn; `automatic` depends on the terminal"),
            Key("mouse", "`true` or `false`", "whether the mouse selects, scrolls, opens and drags borders"),
            Key("editor", "command", "the editor; by default `$VISUAL`, `$EDITOR` or `vi`"),
            Key("pager", "command", "the pager of `sortie guide` and of bodies; by default `$PAGER` or `less`"),
            Key("clipboard", "`auto`, `osc52`, `tool` or `off`", "how texts are copied: by the terminal (OSC 52), by a program, or by what there is"),
            Key("open", "mapping of media types to commands", "the programs that open bodies: `image/*: feh`; by default `xdg-open`"),
            Key("downloads", "folder", "the folder for downloads of the workbench; by default that of the desktop"),
            Key("confirm", "*Confirmations*", "what is asked before it happens"),
            Key("history", "*History limits*", "what the history keeps"),
            Key("layout", "*Layout*", "the sizes of the panes"),
            Key("git", "`true` or `false`", "whether Services marks files that differ from the last commit"),
            Key("keymap", "`standard`, `vi` or `emacs`", "keys that are bound besides those of the table"),
            Key("keys", "mapping of names to a key or a list of keys", "other keys for single commands, by their names in the palette"),
        ])
    static let confirmations = WorkspaceKeys(
        "Confirmations", "`confirm:` of the settings",
        [
            Key("quit", "`true` or `false`", "ask before quitting while something is running or not saved"),
            Key("delete", "`true` or `false`", "ask before files or exchanges of the history are deleted"),
            Key("overwrite", "`true` or `false`", "ask before an existing file is replaced"),
            Key("discard", "`true` or `false`", "ask before unsaved changes or a partial file are discarded; `false` by default"),
        ])
    static let historyLimits = WorkspaceKeys(
        "History limits", "`history:` of the settings",
        [
            Key("days", "1 to 36500", "the maximum age of an exchange; 180 by default"),
            Key("exchanges", "1 to 10000000", "the maximum number of exchanges; 200000 by default"),
            Key("bodies", "a size such as `500MB`", "the maximum size of all bodies together; 2 GB by default"),
        ])
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
        settings.theme = word(fields["theme"], "theme") ?? settings.theme
        settings.colours = word(fields["colors"], "colors") ?? settings.colours
        settings.characters = word(fields["characters"], "characters") ?? settings.characters
        settings.emoji = word(fields["emoji"], "emoji") ?? settings.emoji
        settings.usesMouse = bool(fields["mouse"], "mouse") ?? settings.usesMouse
        settings.editor = name(fields["editor"], "editor")
        settings.pager = name(fields["pager"], "pager")
        settings.clipboard = word(fields["clipboard"], "clipboard") ?? settings.clipboard
        for pair in pairs(fields["open"], of: "open") { openCommand(pair.key, pair.name, pair.value).map { settings.openCommands.append($0) } }
        if let node = fields["downloads"], let folder = name(node, "downloads") {
            let path = folders?.expanding(folder) ?? folder
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
            settings.confirmsDeleting = bool(inner["delete"], "delete") ?? settings.confirmsDeleting
            settings.confirmsOverwriting = bool(inner["overwrite"], "overwrite") ?? settings.confirmsOverwriting
            settings.confirmsDiscarding = bool(inner["discard"], "discard") ?? settings.confirmsDiscarding
        }
        if let node = fields["history"] {
            let inner = self.fields(node, of: "history", known: .historyLimits)
            for (key, node) in inner { settings.places["history.\(key)"] = place(node) }
            settings.historyDays = integer(inner["days"], "days", in: 1...36_500)
            settings.historyExchanges = integer(inner["exchanges"], "exchanges", in: 1...10_000_000)
            if let node = inner["bodies"], let text = name(node, "bodies") {
                settings.historyBytes = ByteCount(parsing: text).flatMap { $0.bytes > 0 ? $0.bytes : nil }
                if settings.historyBytes == nil { report(node, "bodies must be a size such as 500MB or 2GB, not “\(text.shortened)”") }
            }
        }
        if let node = fields["layout"] {
            let inner = self.fields(node, of: "layout", known: .layout)
            for (key, node) in inner { settings.places["layout.\(key)"] = place(node) }
            settings.servicesWidth = integer(inner["services"], "services", in: 14...200)
            settings.requestShare = integer(inner["request"], "request", in: 5...95)
            settings.bottomHeight = integer(inner["bottom"], "bottom", in: 1...200)
        }
        settings.showsGit = bool(fields["git"], "git") ?? settings.showsGit
        settings.keymap = word(fields["keymap"], "keymap") ?? settings.keymap
        for pair in pairs(fields["keys"], of: "keys") {
            let keys = list(pair.value, "keys of \(pair.name)").map(\.text)
            settings.keys.append(.init(command: pair.name, keys: keys, location: place(pair.key)))
        }
    }

    /// The program for a media type, as a list of words or as a text in which blanks separate them.
    ///
    /// No shell reads it.
    private mutating func openCommand(_ key: YAMLNode, _ mediaType: String, _ node: YAMLNode) -> OpenCommand? {
        var words = list(node, "the command of \(mediaType.shortened)").map(\.text)
        if node.items == nil { words = words.flatMap { $0.split(separator: " ").map(String.init) } }
        guard let first = words.first, !first.isEmpty else {
            report(node, "the command of \(mediaType.shortened) is empty; write a program, such as feh")
            return nil
        }
        guard let command = OpenCommand(mediaType: mediaType, words: words) else {
            report(key, "“\(mediaType.shortened)” is not a media type; write image/png, image/* or \"*/*\"")
            return nil
        }
        return command
    }
}
