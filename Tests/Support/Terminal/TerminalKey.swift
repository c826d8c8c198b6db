/// A key of a terminal.
public indirect enum TerminalKey: Hashable, Sendable {
    /// The arrow keys.
    case up, down, left, right
    /// The keys above the arrow keys.
    case home, end, pageUp, pageDown, insert, delete
    /// Named keys that send a character.
    case enter, escape, tab, shiftTab, backspace, space
    /// F1 to F12.
    case function(Int)
    /// A character with the Control key, such as `.control("r")`.
    case control(Character)
    /// Another key with the Alt key, which sends ESC first.
    case alt(TerminalKey)
    /// An arrow key or a key above them, with the Shift key.
    case shift(TerminalKey)
    /// An arrow key or a key above them, with the Control key.
    case controlled(TerminalKey)
    /// A character.
    case character(Character)

    /// F1.
    public static let f1 = TerminalKey.function(1)
    /// F2.
    public static let f2 = TerminalKey.function(2)
    /// F5.
    public static let f5 = TerminalKey.function(5)
    /// F10.
    public static let f10 = TerminalKey.function(10)

    /// The bytes that an xterm sends for the key (terminfo `xterm-256color`).
    ///
    /// - Parameter isApplication: Whether the program enabled the application mode of the cursor keys, as ncurses does.
    func bytes(isApplication: Bool) -> [UInt8] { Array(text(isApplication).utf8) }

    private func text(_ isApplication: Bool) -> String {
        switch self {
        case .up, .down, .right, .left, .home, .end: (isApplication ? "\u{1b}O" : "\u{1b}[") + (letter ?? "")
        case .insert, .delete, .pageUp, .pageDown: "\u{1b}[\(number ?? 0)~"
        case .enter: "\r"
        case .escape: "\u{1b}"
        case .tab: "\t"
        case .shiftTab: "\u{1b}[Z"
        case .backspace: "\u{7f}"
        case .space: " "
        case .function(let n) where (1...4).contains(n): "\u{1b}O" + ["P", "Q", "R", "S"][n - 1]
        case .function(let n) where (5...12).contains(n): "\u{1b}[\([15, 17, 18, 19, 20, 21, 23, 24][n - 5])~"
        case .function: ""
        case .control(let character): Self.control(character)
        case .alt(let key): "\u{1b}" + key.text(isApplication)
        case .shift(let key): key.modified(2)
        case .controlled(let key): key.modified(5)
        case .character(let character): String(character)
        }
    }

    private func modified(_ modifier: Int) -> String {
        if let letter { return "\u{1b}[1;\(modifier)\(letter)" }
        if let number { return "\u{1b}[\(number);\(modifier)~" }
        return text(false)
    }

    private var letter: String? {
        switch self {
        case .up: "A"
        case .down: "B"
        case .right: "C"
        case .left: "D"
        case .home: "H"
        case .end: "F"
        default: nil
        }
    }

    private var number: Int? {
        switch self {
        case .insert: 2
        case .delete: 3
        case .pageUp: 5
        case .pageDown: 6
        default: nil
        }
    }

    private static func control(_ character: Character) -> String {
        switch character {
        case " ", "@": "\0"
        case "?": "\u{7f}"
        default: character.asciiValue.map { String(Character(Unicode.Scalar($0 & 0x1f))) } ?? ""
        }
    }
}
