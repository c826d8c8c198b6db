internal import SortieBase

/// One command of a shell script.
struct ShellCommand {
    /// A word with its place.
    struct Word {
        /// The text after quotes and escapes, see ``ShellText``.
        var text: String
        /// The place of its first character.
        var place: SourceLocation
    }

    /// What the command reads from standard input.
    enum Input: Hashable {
        /// The standard input of the script.
        case inherited
        /// This text.
        case text(String)
        /// A file.
        case file(String)
        /// The output of a command that is not run.
        case output(of: String)
    }

    /// The words, redirections left out.
    var words: [Word]
    /// The standard input.
    var input = Input.inherited
    /// The place of the first word.
    var place: SourceLocation
    /// What the shell would replace by values that are not known, such as `$(date)`, as it is written.
    var substitutions: [Word] = []
    /// Why the command cannot be read; its words are incomplete.
    var problem: Diagnostic?
}

/// The shell whose quoting a script uses.
enum ShellDialect: Hashable {
    /// The POSIX shell, with `$'…'`, `<<<` and other parts of bash.
    case posix
    /// `cmd.exe`, with the C runtime's reading of quotes.
    case cmd
    /// PowerShell.
    case powerShell

    /// The dialect that the text shows.
    static func detected(in text: String) -> ShellDialect {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        /// - Parameter isWord: whether a blank must be before the mark; a backquote after other text ends the substitution of a POSIX shell.
        func ends(with mark: Character, isWord: Bool = false) -> Bool {
            lines.dropLast().contains { line in
                var line = line
                while line.last == " " || line.last == "\t" { line.removeLast() }
                guard line.last == mark, line.count > 1 else { return false }
                return !isWord || line.dropLast().last?.isWhitespace == true
            }
        }
        if ends(with: "^") || (text.contains(" ^\"") && !text.contains(" '")) { return .cmd }
        if ends(with: "`", isWord: true) || text.contains("$env:") { return .powerShell }
        return .posix
    }
}
