package import SortieBase

/// A value of the settings file that is one scalar: the reader, the template of a new file and the list of the workbench loop over ``all``.
package struct SettingKey: Sendable {
    /// The form of the value, and where it is stored.
    package enum Form: Sendable {
        case flag(any WritableKeyPath<Settings, Bool> & Sendable)
        case words([String], get: @Sendable (Settings) -> String, set: @Sendable (String, inout Settings) -> Void)
        /// The name of a theme; the list of themes is in the module of the terminal.
        case theme
        case number(any WritableKeyPath<Settings, Int?> & Sendable, ClosedRange<Int>)
        case size(any WritableKeyPath<Settings, Int64?> & Sendable)
        case command(any WritableKeyPath<Settings, String?> & Sendable)
        case folder(any WritableKeyPath<Settings, String?> & Sendable)
    }

    /// The keys from the root of the file: `theme`, `layout.services`.
    package let path: String
    /// The form of the value.
    package let form: Form
    /// The meaning.
    package let summary: String
    /// What applies where the file does not set it.
    package let standard: String
    /// A value for the template of a new file.
    package let example: String

    private init(_ path: String, _ form: Form, _ summary: String, standard: String? = nil, example: String? = nil) {
        (self.path, self.form, self.summary) = (path, form, summary)
        self.standard = standard ?? Self.text(form, Settings()) ?? ""
        self.example = example ?? self.standard
    }

    private static func words<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ path: any WritableKeyPath<Settings, Word> & Sendable
    ) -> Form {
        .words(Word.allCases.map(\.rawValue), get: { $0[keyPath: path].rawValue }) { text, settings in
            if let word = Word(rawValue: text) { settings[keyPath: path] = word }
        }
    }

    /// All keys, in the order of the list and of the template.
    package static let all: [SettingKey] = [
        SettingKey("theme", .theme, "the colours"),
        SettingKey("colors", words(\.colours), "the largest number of colours; a terminal with fewer uses what it has; NO_COLOR=1 means none"),
        SettingKey("characters", words(\.characters), "borders, bars and marks; automatic is ASCII in a locale without UTF-8"),
        SettingKey("emoji", words(\.emoji), "how families and skin tones are drawn; automatic depends on the terminal"),
        SettingKey("mouse", .flag(\.usesMouse), "the mouse selects, scrolls, opens and drags borders"),
        SettingKey("keymap", words(\.keymap), "keys besides those of the table"),
        SettingKey("editor", .command(\.editor), "the editor", standard: "$VISUAL, $EDITOR or vi", example: "vi"),
        SettingKey("pager", .command(\.pager), "the pager of the guide and of bodies", standard: "$PAGER or less", example: "less -R"),
        SettingKey("clipboard", words(\.clipboard), "how texts are copied: by the terminal (osc52), by a program (tool), or by what there is"),
        SettingKey(
            "downloads", .folder(\.downloads), "the folder for downloads of the workbench", standard: "the folder of the desktop",
            example: "~/Downloads"),
        SettingKey("confirm.quit", .flag(\.confirmsQuit), "ask while something is running or not saved"),
        SettingKey("confirm.delete", .flag(\.confirmsDeleting), "ask before files or exchanges of the history are deleted"),
        SettingKey("confirm.overwrite", .flag(\.confirmsOverwriting), "ask before an existing file is replaced"),
        SettingKey("confirm.discard", .flag(\.confirmsDiscarding), "ask before unsaved changes or a partial file are discarded"),
        SettingKey("history.days", .number(\.historyDays, 1...36_500), "the maximum age of an exchange", standard: "180"),
        SettingKey("history.exchanges", .number(\.historyExchanges, 1...10_000_000), "the maximum number of exchanges", standard: "200000"),
        SettingKey("history.bodies", .size(\.historyBytes), "the maximum size of all bodies together", standard: "2 GB", example: "2GB"),
        SettingKey("layout.services", .number(\.servicesWidth, 14...200), "the width of Services in columns", standard: "automatic", example: "34"),
        SettingKey(
            "layout.request", .number(\.requestShare, 5...95), "the share of Request of the space that it has with Response, in percent",
            standard: "automatic", example: "40"),
        SettingKey(
            "layout.bottom", .number(\.bottomHeight, 1...200), "the height of the bottom pane in rows", standard: "automatic", example: "10"),
        SettingKey("git", .flag(\.showsGit), "mark files in Services that differ from the last commit"),
    ]

    /// The keys from the root.
    package var keys: [String] { path.split(separator: ".").map(String.init) }

    /// The value that applies.
    package func text(_ settings: Settings) -> String { Self.text(form, settings) ?? standard }

    /// The value; nil where the default applies.
    private static func text(_ form: Form, _ settings: Settings) -> String? {
        switch form {
        case .flag(let path): String(settings[keyPath: path])
        case .words(_, let get, _): get(settings)
        case .theme: settings.theme
        case .number(let path, _): settings[keyPath: path].map { String($0) }
        case .size(let path): settings[keyPath: path].map { ByteCount($0).text }
        case .command(let path), .folder(let path): settings[keyPath: path]
        }
    }
}

/// A theme that the settings define: another one, with some of its colours replaced.
package struct ThemeDefinition: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The colours as written, by their names; `base` is the theme that it changes.
    package var colours: [String: String]
    /// The places of the colours in the file, and of the name under the empty text.
    package var places: [String: SourceLocation]

    /// Creates a definition.
    package init(name: String, colours: [String: String], places: [String: SourceLocation]) {
        (self.name, self.colours, self.places) = (name, colours, places)
    }
}

/// The value of a change of the settings file.
package enum SettingValue: Hashable, Sendable {
    case text(String)
    case list([String])
}
