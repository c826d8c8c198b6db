/// Names of keys for the footer, the help and the settings file.
extension Key {
    /// The short name: `^R`, `F5`, `Enter`, `↑`, `Alt-x`, `Shift-Tab`.
    package var label: String {
        var code = code
        var modifiers = modifiers
        if code == .backTab {
            code = .tab
            modifiers.insert(.shift)
        }
        var label = ""
        if modifiers.contains(.alt) { label += "Alt-" }
        if modifiers.contains(.shift) { label += "Shift-" }
        if modifiers.contains(.control) {
            if case .character(let character) = code, character != " " {
                return label + "^" + character.uppercased()
            }
            label += "Ctrl-"
        }
        return label + Key.name(of: code)
    }

    /// Parses the name of a key: its ``label``, or the longer forms `ctrl-r`, `ctrl+r`, `alt-x`, `shift-tab`,
    /// `pageup`, `f5`.
    ///
    /// Names are case-insensitive, except that a single character means itself. The result is `nil` for an unknown
    /// name.
    package init?(label: String) {
        var rest = Substring(label)
        var modifiers: Modifiers = []
        while let (modifier, length) = Key.modifier(startingOf: rest) {
            modifiers.insert(modifier)
            rest = rest.dropFirst(length)
        }
        guard let code = Key.code(named: rest) else { return nil }
        self.init(code, modifiers)
        if case .character(let character) = code {
            if modifiers.contains(.control) {
                self.code = .character(character.lowercased().first ?? character)
            }
            if modifiers.contains(.shift), !modifiers.contains(.control) {
                self.code = .character(character.uppercased().first ?? character)
                self.modifiers.remove(.shift)
            }
        }
        if code == .tab, modifiers.contains(.shift) {
            self.code = .backTab
            self.modifiers.remove(.shift)
        }
    }

    private static func modifier(startingOf text: Substring) -> (Modifiers, length: Int)? {
        if text.first == "^", text.count > 1 { return (.control, 1) }
        let names: [(String, Modifiers)] = [
            ("ctrl", .control), ("control", .control), ("c", .control), ("alt", .alt), ("meta", .alt), ("m", .alt),
            ("shift", .shift), ("s", .shift),
        ]
        for (name, modifier) in names {
            for separator in ["-", "+"] {
                let start = name + separator
                if text.count > start.count, text.lowercased().hasPrefix(start) { return (modifier, start.count) }
            }
        }
        return nil
    }

    private static func code(named name: Substring) -> Code? {
        if name.count == 1, let character = name.first {
            return symbols[character] ?? (character.isControl ? nil : .character(character))
        }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        if plain.first == "f", let number = Int(plain.dropFirst()) {
            return (1...24).contains(number) ? .function(number) : nil
        }
        return words[plain]
    }

    private static func name(of code: Code) -> String {
        switch code {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .insert: "Ins"
        case .delete: "Del"
        case .backspace: "Backspace"
        case .function(let number): "F\(number)"
        }
    }

    private static let symbols: [Character: Code] = ["↑": .up, "↓": .down, "←": .left, "→": .right]

    private static let words: [String: Code] = [
        "enter": .enter, "return": .enter, "esc": .escape, "escape": .escape, "tab": .tab, "backtab": .backTab,
        "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp, "pageup": .pageUp, "pgdn": .pageDown,
        "pgdown": .pageDown, "pagedown": .pageDown, "home": .home, "end": .end, "ins": .insert, "insert": .insert,
        "del": .delete, "delete": .delete, "backspace": .backspace, "space": .character(" "),
    ]
}

extension Character {
    /// Whether the character is a control character, which no key types.
    fileprivate var isControl: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
