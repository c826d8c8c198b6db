internal import ArgumentParser
internal import SortieTerminal

/// A word that can complete a command line.
struct CompletionCandidate: Hashable {
    let text: String
    /// What zsh and fish show beside it.
    let summary: String

    init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }

    /// The line for a shell; nil for a word that cannot be displayed as it is, such as a file name with a line break or an escape sequence.
    ///
    /// bash expands the lines like the words of a command, so that a file named `$(command)` would run it: each word is quoted. zsh ends a word at a
    /// colon, fish at a tab.
    func line(for shell: CompletionShell?) -> String? {
        guard !text.isEmpty, VisibleText.of(text) == text, !text.contains(where: { $0.isNewline || $0 == "\t" }) else { return nil }
        let summary = VisibleText.of(summary.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        switch shell {
        case .bash: return "'" + text.replacing("'", with: "'\\''") + "'"
        case .zsh:
            let word = text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return summary.isEmpty ? word : "\(word):\(summary)"
        case .fish: return summary.isEmpty ? text : "\(text)\t\(summary)"
        default: return text
        }
    }
}
