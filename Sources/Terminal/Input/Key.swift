/// A key with its modifiers.
package struct Key: Hashable, Sendable {
    /// The key without modifiers.
    package enum Code: Hashable, Sendable {
        /// A key that types a character; with Control, a lower-case letter.
        case character(Character)
        /// Return.
        case enter
        /// Escape.
        case escape
        /// Tab.
        case tab
        /// Tab with Shift.
        case backTab
        /// The arrow up.
        case up
        /// The arrow down.
        case down
        /// The arrow to the left.
        case left
        /// The arrow to the right.
        case right
        /// Page Up.
        case pageUp
        /// Page Down.
        case pageDown
        /// Home.
        case home
        /// End.
        case end
        /// Insert.
        case insert
        /// Delete, which removes the character after the cursor.
        case delete
        /// Backspace, which removes the character before the cursor.
        case backspace
        /// F1 to F24.
        case function(Int)
    }

    /// The modifiers of a key.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        /// The modifiers as bits.
        package let rawValue: UInt8

        /// Creates a set of modifiers from its bits.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Control.
        package static let control = Modifiers(rawValue: 1)
        /// Alt, or Meta.
        package static let alt = Modifiers(rawValue: 2)
        /// Shift, for keys that type no character; a shifted letter is an upper-case letter.
        package static let shift = Modifiers(rawValue: 4)
    }

    /// The key without modifiers.
    package var code: Code
    /// The modifiers.
    package var modifiers: Modifiers

    /// Creates a key.
    package init(_ code: Code, _ modifiers: Modifiers = []) {
        (self.code, self.modifiers) = (code, modifiers)
    }
}

/// Short forms for tables of keys.
extension Key {
    /// Return.
    package static let enter = Key(.enter)
    /// Escape.
    package static let escape = Key(.escape)
    /// Tab.
    package static let tab = Key(.tab)
    /// Tab with Shift.
    package static let backTab = Key(.backTab)
    /// The arrow up.
    package static let up = Key(.up)
    /// The arrow down.
    package static let down = Key(.down)
    /// The arrow to the left.
    package static let left = Key(.left)
    /// The arrow to the right.
    package static let right = Key(.right)
    /// Page Up.
    package static let pageUp = Key(.pageUp)
    /// Page Down.
    package static let pageDown = Key(.pageDown)
    /// Home.
    package static let home = Key(.home)
    /// End.
    package static let end = Key(.end)
    /// Insert.
    package static let insert = Key(.insert)
    /// Delete.
    package static let delete = Key(.delete)
    /// Backspace.
    package static let backspace = Key(.backspace)
    /// The space bar.
    package static let space = Key(.character(" "))

    /// A key that types `character`.
    package static func character(_ character: Character) -> Key {
        Key(.character(character))
    }

    /// A key with Control.
    ///
    /// A letter becomes lower case, because terminals do not distinguish the two.
    package static func control(_ character: Character) -> Key {
        Key(.character(character.lowercased().first ?? character), .control)
    }

    /// A key with Alt.
    package static func alt(_ character: Character) -> Key {
        Key(.character(character), .alt)
    }

    /// A function key, from 1.
    package static func function(_ number: Int) -> Key {
        Key(.function(number))
    }
}

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
