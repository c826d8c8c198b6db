/// A key with its modifiers.
public struct Key: Hashable, Sendable {
    /// The key without modifiers.
    public enum Code: Hashable, Sendable {
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
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The modifiers as bits.
        public let rawValue: UInt8

        /// Creates a set of modifiers from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Control.
        public static let control = Modifiers(rawValue: 1)
        /// Alt, or Meta.
        public static let alt = Modifiers(rawValue: 2)
        /// Shift, for keys that type no character; a shifted letter is an upper-case letter.
        public static let shift = Modifiers(rawValue: 4)
    }

    /// The key without modifiers.
    public var code: Code
    /// The modifiers.
    public var modifiers: Modifiers

    /// Creates a key.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }
}

/// Short forms for tables of keys.
extension Key {
    /// Return.
    public static let enter = Key(.enter)
    /// Escape.
    public static let escape = Key(.escape)
    /// Tab.
    public static let tab = Key(.tab)
    /// Tab with Shift.
    public static let backTab = Key(.backTab)
    /// The arrow up.
    public static let up = Key(.up)
    /// The arrow down.
    public static let down = Key(.down)
    /// The arrow to the left.
    public static let left = Key(.left)
    /// The arrow to the right.
    public static let right = Key(.right)
    /// Page Up.
    public static let pageUp = Key(.pageUp)
    /// Page Down.
    public static let pageDown = Key(.pageDown)
    /// Home.
    public static let home = Key(.home)
    /// End.
    public static let end = Key(.end)
    /// Insert.
    public static let insert = Key(.insert)
    /// Delete.
    public static let delete = Key(.delete)
    /// Backspace.
    public static let backspace = Key(.backspace)
    /// The space bar.
    public static let space = Key(.character(" "))

    /// A key that types `character`.
    public static func character(_ character: Character) -> Key {
        Key(.character(character))
    }

    /// A key with Control.
    ///
    /// A letter becomes lower case, because terminals do not distinguish the two.
    public static func control(_ character: Character) -> Key {
        Key(.character(character.lowercased().first ?? character), .control)
    }

    /// A key with Alt.
    public static func alt(_ character: Character) -> Key {
        Key(.character(character), .alt)
    }

    /// A function key, from 1.
    public static func function(_ number: Int) -> Key {
        Key(.function(number))
    }
}
