/// Why the terminal is not usable.
package struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause.
    package enum Code: Hashable, Sendable {
        /// Standard input or standard output is not a terminal.
        case notATerminal
        /// `TERM` is empty, unknown, or names a terminal that cannot place the cursor.
        case unsuitableTerminal
        /// The system has no UTF-8 locale.
        case noUTF8
        /// Another ``Screen`` uses the terminal.
        case alreadyTaken
        /// A system call failed.
        case systemCall
    }

    /// The cause.
    package let code: Code
    /// The problem and its remedy, as text for the user.
    package let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}

/// The descriptions of terminals (terminfo) that fit to the name in `TERM`.
enum TerminalType {
    /// The names of descriptions in the order in which they are tried.
    ///
    /// A new terminal often has no description, above all at the other end of an SSH connection. Those that understand xterm's sequences are used
    /// as xterm.
    static func candidates(of name: String) -> [String] {
        guard !name.isEmpty else { return [] }
        guard let family = families.first(where: { name == $0 || name.hasPrefix($0 + "-") }) else { return [name] }
        let others = (family == "tmux" || family == "screen" ? ["screen-256color"] : []) + ["xterm-256color", "xterm"]
        // In a description with direct colours, the number of a colour is its red, green and blue part and no place in the palette.
        return name.hasSuffix("-direct") ? others + [name] : [name] + others
    }

    private static let families = [
        "alacritty", "contour", "foot", "ghostty", "gnome", "iterm2", "kitty", "konsole", "mintty", "rio", "screen", "st", "tmux", "vte", "wezterm",
        "xterm",
    ]
}
