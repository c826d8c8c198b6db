internal import SortieBase

/// One command of a shell script.
struct ShellCommand {
    /// A word with its place.
    struct Word {
        /// The text after quotes and escapes, see ``ShellText``.
        var text: String
        /// The place of its first character.
        var place: SourceLocation
        /// Whether the shell splits the values of the word's variables at blanks: none of its characters is quoted.
        var isSplit = false
        /// The elements of the array that the word assigns, as in `NAME=(a b)`; the text is the name.
        var array: [Word]?
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
    /// The values of `${NAME:-value}` for variables that have none.
    var defaults: [(name: String, value: String, place: SourceLocation)] = []
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
        let text = code(of: text)
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        /// - Parameter isWord: whether a blank must be before the mark; a backquote after other text ends the substitution of a POSIX shell.
        func ends(with mark: Character, isWord: Bool = false) -> Bool {
            lines.dropLast().contains { line in
                var line = line
                while line.last?.isSpaceOrTab == true { line.removeLast() }
                guard line.last == mark, line.count > 1 else { return false }
                return !isWord || line.dropLast().last?.isWhitespace == true
            }
        }
        let isBatch = lines.contains { line in
            let words = line.split(separator: " ", maxSplits: 2).map { $0.lowercased() }
            // `set NAME=value`, also with a quote before the name; a POSIX shell has options behind set.
            return words.first == "@echo" || words.first == "setlocal" || words.count > 1 && words[0] == "set" && words[1].contains("=")
        }
        if isBatch || ends(with: "^") || (text.contains(" ^\"") && !text.contains(" '")) { return .cmd }
        if ends(with: "`", isWord: true) || text.contains("$env:") { return .powerShell }
        return .posix
    }

    /// The text without comments and without what is between apostrophes, which is literal in a POSIX shell and in PowerShell.
    ///
    /// Apostrophes between double quotes, and one that is not closed, are characters, also in cmd.
    private static func code(of text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var index = 0
        var isQuoted = false
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "'", !isQuoted, let end = closingApostrophe(in: scalars, after: index) {
                result.append(contentsOf: "''".unicodeScalars)
                index = end + 1
            } else if scalar == "#", !isQuoted, index == 0 || scalars[index - 1].properties.isWhitespace {
                while index < scalars.count, scalars[index] != "\n" { index += 1 }
            } else {
                // `\^"` is an escaped quote of cmd.
                let isEscape = scalar == "\\"
                let count = isEscape ? scalars[(index + 1)...].starts(with: ["^", "\""]) ? 3 : 2 : 1
                if scalar == "\"" { isQuoted.toggle() }
                result.append(contentsOf: scalars[index..<min(index + count, scalars.count)])
                index += count
            }
        }
        return String(result)
    }

    /// The index of the apostrophe that closes another one; in `$'…'`, a backslash escapes the character after it.
    private static func closingApostrophe(in scalars: [Unicode.Scalar], after start: Int) -> Int? {
        let hasEscapes = start > 0 && scalars[start - 1] == "$"
        var index = start + 1
        while index < scalars.count, scalars[index] != "'" { index += hasEscapes && scalars[index] == "\\" ? 2 : 1 }
        return index < scalars.count ? index : nil
    }
}
