/// Writes blocks of the debug log to stderr.
enum DebugBlock {
    /// The lines of a block, indented, so that a line of a body cannot look like one of the program's own lines.
    static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast().map { "  \($0)" }
    }

    /// Writes a block and removes a displayed progress line.
    static func write(_ text: String, to errors: StandardError) {
        if errors.isTerminal { errors.raw("\r\u{1b}[K") }
        for line in lines(text) { errors.line(line) }
    }
}
