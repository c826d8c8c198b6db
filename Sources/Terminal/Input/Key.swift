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
        self.code = code
        self.modifiers = modifiers
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
