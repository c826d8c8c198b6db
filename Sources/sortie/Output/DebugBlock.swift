/// A block of the debug log on stderr.
enum DebugBlock {
    /// The lines of a block, further in than lines of ours, so that no line of a body can look like one of them.
    static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast().map { "  \($0)" }
    }

    /// Writes a block; a line of progress that stands there goes.
    static func write(_ text: String) {
        if StandardError.isTerminal { StandardError.raw("\r\u{1b}[K") }
        for line in lines(text) { StandardError.line(line) }
    }
}
