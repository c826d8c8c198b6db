internal import Terminal

/// Lines for stdout: harmless where a person's terminal reads them, as they are where a program does.
enum VisibleLine {
    static func of(_ text: String) -> String {
        StandardOutput.isTerminal ? VisibleText.of(text) : text
    }
}
