import Glibc

/// What is known about the way in which a terminal draws emoji sequences.
///
/// Terminals differ: some draw a family of three persons in two columns, others draw each person. A sequence that takes more columns than the
/// program counts would shift the rest of its line.
enum EmojiSequences {
    /// Whether the terminal that the environment names draws a sequence in two columns.
    ///
    /// tmux and screen count the columns themselves, in whichever terminal they run.
    ///
    /// - Parameter variable: The value of an environment variable.
    static func areKnown(_ variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) -> Bool {
        let type = variable("TERM") ?? ""
        guard variable("TMUX") == nil, variable("STY") == nil, !type.hasPrefix("tmux"), !type.hasPrefix("screen") else { return false }
        if ["WezTerm", "ghostty", "iTerm.app", "contour"].contains(variable("TERM_PROGRAM")) { return true }
        return ["foot", "wezterm", "xterm-ghostty", "contour"].contains { type == $0 || type.hasPrefix($0 + "-") }
    }
}
