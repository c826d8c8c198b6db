internal import SortieBase
internal import WorkspaceModel

extension WorkspaceKeys {
    /// The keys of the settings file that are no single values.
    private static let structures = ["open", "themes", "keys"]

    static let settings = WorkspaceKeys(
        "Settings", "`$XDG_CONFIG_HOME/sortie/config.yaml`",
        (SettingKey.all.compactMap(\.keys.first) + structures).reduce(into: []) { keys, name in
            if !keys.contains(where: { $0.name == name }) { keys.append(Key(name, "", "")) }
        })

    /// The keys of a mapping of the settings file.
    static func settings(below key: String) -> WorkspaceKeys {
        let inner = SettingKey.all.filter { $0.keys.count == 2 && $0.keys[0] == key }
        return WorkspaceKeys(key, "`\(key):` of the settings", inner.map { Key($0.keys[1], "", $0.summary) })
    }
}

extension NodeReader {
    /// Fills `settings` with the content of the settings file; invalid values keep their defaults.
    mutating func fill(_ settings: inout Settings, from root: YAMLNode?) {
        guard let root else { return }
        var nodes = fields(root, of: "config.yaml", known: .settings)
        // Sorted, so that problems have one order.
        for (key, node) in nodes.sorted(by: { $0.key < $1.key }) {
            let inner = WorkspaceKeys.settings(below: key)
            for (name, value) in inner.keys.isEmpty ? [:] : fields(node, of: key, known: inner) { nodes["\(key).\(name)"] = value }
        }
        settings.places = nodes.mapValues { place($0) }
        for key in SettingKey.all { if let node = nodes[key.path] { read(key, node, into: &settings) } }
        for pair in pairs(nodes["open"], of: "open") { openCommand(pair.key, pair.name, pair.value).map { settings.openCommands.append($0) } }
        for pair in pairs(nodes["themes"], of: "themes") {
            var theme = ThemeDefinition(name: pair.name, colours: [:], places: ["": place(pair.key)])
            for colour in pairs(pair.value, of: pair.name) {
                guard let text = name(colour.value, colour.name) else { continue }
                theme.colours[colour.name] = text
                theme.places[colour.name] = place(colour.value)
            }
            settings.themes.append(theme)
        }
        for pair in pairs(nodes["keys"], of: "keys") {
            let keys = list(pair.value, "keys of \(pair.name)").map(\.text)
            settings.keys.append(.init(command: pair.name, keys: keys, location: place(pair.key)))
        }
    }

    private mutating func read(_ key: SettingKey, _ node: YAMLNode, into settings: inout Settings) {
        let what = key.keys.last ?? ""
        switch key.form {
        case .flag(let path): if let value = bool(node, what) { settings[keyPath: path] = value }
        case .words(let words, _, let set): if let word = word(node, what, of: words) { set(word, &settings) }
        case .theme: settings.theme = name(node, what) ?? settings.theme
        case .number(let path, let range): settings[keyPath: path] = integer(node, what, in: range)
        case .size(let path):
            guard let text = name(node, what) else { return }
            settings[keyPath: path] = ByteCount(parsing: text).flatMap { $0.bytes > 0 ? $0.bytes : nil }
            if settings[keyPath: path] == nil { report(node, "\(what) must be a size such as 500MB or 2GB, not “\(text.shortened)”") }
        case .command(let path): settings[keyPath: path] = name(node, what)
        case .folder(let path):
            guard let folder = name(node, what) else { return }
            let expanded = folders?.expanding(folder) ?? folder
            if FilePath.isAbsolute(expanded) {
                settings[keyPath: path] = expanded
            } else {
                report(node, "\(what) must begin with / or ~/, not “\(folder.shortened)”")
            }
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
