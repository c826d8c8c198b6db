/// Writes blocks of the debug log to stderr.
enum DebugBlock {
    /// Writes a block and removes a displayed progress line.
    ///
    /// Its lines are indented, so that a line of a body cannot look like one of the program's own lines.
    static func write(_ text: String, to errors: StandardError) {
        if errors.takesControlSequences { errors.raw("\r\u{1b}[K") }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast() { errors.line("  \(line)") }
    }
}
