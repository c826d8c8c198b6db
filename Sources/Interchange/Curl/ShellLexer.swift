internal import SortieBase

/// Splits a script into commands and words; nothing is run.
struct ShellLexer {
    let scalars: [Unicode.Scalar]
    private let file: String
    private let dialect: ShellDialect
    var index = 0
    private var commands: [ShellCommand] = []
    private var words: [ShellCommand.Word] = []
    private var input = ShellCommand.Input.inherited
    var substitutions: [ShellCommand.Word] = []
    private var problem: Diagnostic?
    /// Whether the last command's output is the input of the next one.
    private var isPiped = false
    /// Here-documents whose text begins after the current line.
    private var pending: [(end: String, isQuoted: Bool, stripsTabs: Bool)] = []
    /// The offsets at which lines begin, for places.
    private let lineStarts: [Int]

    /// The commands of a script.
    ///
    /// - Throws: A diagnostic with the place of a quote that is not closed.
    static func commands(in text: String, file: String, dialect: ShellDialect? = nil) throws(Diagnostic) -> [ShellCommand] {
        var lexer = ShellLexer(text, file: file, dialect: dialect ?? .detected(in: text))
        return try lexer.run()
    }

    private init(_ text: String, file: String, dialect: ShellDialect) {
        let scalars = Array(text.unicodeScalars)
        self.scalars = scalars
        (self.file, self.dialect) = (file, dialect)
        lineStarts = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
    }

    func place(_ index: Int) -> SourceLocation {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= index { low = middle } else { high = middle }
        }
        return SourceLocation(file: file, line: low + 1, column: index - lineStarts[low] + 1)
    }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? { index + distance < scalars.count ? scalars[index + distance] : nil }

    func follows(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        return index + wanted.count <= scalars.count && scalars[index..<index + wanted.count].elementsEqual(wanted)
    }

    // MARK: Commands

    private mutating func run() throws(Diagnostic) -> [ShellCommand] {
        while let scalar = peek() {
            switch scalar {
            case " ", "\t", "\r", "\u{a0}": index += 1
            case "\n": try endLine()
            case _ where isContinuation: skipContinuation()
            case "#" where dialect != .cmd: while let next = peek(), next != "\n" { index += 1 }
            case ";" where dialect != .cmd:
                index += 1
                endCommand(piped: false)
            case "&":
                index += peek(1) == "&" ? 2 : 1
                endCommand(piped: false)
            case "|":
                let isOr = peek(1) == "|"
                index += isOr ? 2 : 1
                endCommand(piped: !isOr)
            case "<", ">": try redirection()
            default:
                // `2>file`
                if dialect != .powerShell, ("0"..."9").contains(scalar), peek(1) == ">" || peek(1) == "<" {
                    index += 1
                    try redirection()
                } else if !words.isEmpty || !skipDefinition() {
                    let start = index
                    words.append(ShellCommand.Word(text: try word(), place: place(start)))
                }
            }
        }
        endCommand(piped: false)
        return commands
    }

    var isContinuation: Bool {
        guard peek() == escape else { return false }
        return peek(1) == "\n" || peek(1) == "\r" && peek(2) == "\n"
    }

    mutating func skipContinuation() {
        index += peek(1) == "\r" ? 3 : 2
        // In cmd, an escaped line break before another one is a line break.
    }

    private var escape: Unicode.Scalar {
        switch dialect {
        case .posix: "\\"
        case .cmd: "^"
        case .powerShell: "`"
        }
    }

    private mutating func endLine() throws(Diagnostic) {
        index += 1
        for document in pending { input = .text(hereDocument(document)) }
        pending = []
        // Options after a blank line continue the command, because no command begins with `-`; people remove `\` before blank lines.
        var next = index
        while next < scalars.count, " \t\r\n".unicodeScalars.contains(scalars[next]) { next += 1 }
        let isOption = next + 1 < scalars.count && scalars[next] == "-" && !" \t\n".unicodeScalars.contains(scalars[next + 1])
        if isOption, !words.isEmpty { return }
        endCommand(piped: false)
    }

    private mutating func endCommand(piped: Bool) {
        defer {
            (words, input, isPiped) = ([], .inherited, piped && !words.isEmpty)
            (substitutions, problem) = ([], nil)
        }
        guard let first = words.first else { return }
        var command = ShellCommand(words: words, input: input, place: first.place, substitutions: substitutions, problem: problem)
        if isPiped, let previous = commands.last {
            command.input = Self.output(of: previous)
            // The command before the pipe is part of this one.
            if case .output = command.input {
            } else {
                command.substitutions = previous.substitutions + command.substitutions
                command.problem = previous.problem ?? command.problem
                commands.removeLast()
            }
        }
        commands.append(command)
    }

    /// The output of a command where it is known without running it.
    static func output(of command: ShellCommand) -> ShellCommand.Input {
        let words = command.words.map(\.text)
        let rest = words.dropFirst()
        switch words.first {
        case "echo" where rest.first == "-n": return .text(rest.dropFirst().joined(separator: " "))
        case "echo" where rest.first?.hasPrefix("-") != true: return .text(rest.joined(separator: " ") + "\n")
        case "printf":
            if let format = rest.first, let text = PrintfText.text(format, arguments: Array(rest.dropFirst())) { return .text(text) }
        case "cat" where rest.count == 1 && rest.first?.hasPrefix("-") == false: return .file(rest.first ?? "")
        case "cat" where rest.isEmpty: return command.input
        default: break
        }
        return .output(of: words.first.map(ShellText.display) ?? "")
    }

    // MARK: Redirections

    private mutating func redirection() throws(Diagnostic) {
        let start = index
        if follows("<<<") {
            index += 3
            skipSpaces()
            input = .text(try word() + "\n")
        } else if follows("<<") {
            index += 2
            let stripsTabs = peek() == "-"
            if stripsTabs { index += 1 }
            skipSpaces()
            let isQuoted = peek() == "'" || peek() == "\"" || peek() == "\\"
            pending.append((end: try word(), isQuoted: isQuoted, stripsTabs: stripsTabs))
        } else if peek() == "<" {
            index += 1
            guard peek() != "(" else {
                problem = problem ?? Diagnostic(place(start), "the output of a command is no file; write its text into a file")
                _ = try substitution(from: start)
                return
            }
            skipSpaces()
            input = .file(try word())
        } else {
            index += peek(1) == ">" || peek(1) == "|" ? 2 : 1
            if peek() == "&" { index += 1 }
            skipSpaces()
            // The file of the output is not part of a request.
            if peek() != nil, peek() != "\n" { _ = try word() }
        }
    }

    private mutating func skipSpaces() {
        while peek() == " " || peek() == "\t" { index += 1 }
    }

    /// Moves behind `$(…)`, `` `…` ``, `${…}` or `<(…)`.
    ///
    /// - Throws: A diagnostic with the place of one that does not end.
    /// - Returns: The text as it is written.
    mutating func substitution(from start: Int) throws(Diagnostic) -> String {
        index = start + (scalars[start] == "`" ? 0 : 1)
        let open = scalars[index]
        let close: Unicode.Scalar = open == "(" ? ")" : open == "{" ? "}" : open
        index += 1
        var depth = 1
        var quote: Unicode.Scalar?
        while depth > 0 {
            guard let scalar = peek() else { throw Diagnostic(place(start), "this \(open) is not closed; the command may be incomplete") }
            index += scalar == "\\" && quote != "'" ? 2 : 1
            if scalar == quote {
                quote = nil
            } else if quote == nil, open != "`", scalar == "'" || scalar == "\"" {
                quote = scalar
            } else if quote == nil, scalar == close {
                depth -= 1
            } else if quote == nil, scalar == open {
                depth += 1
            }
        }
        return String(String.UnicodeScalarView(scalars[start..<min(index, scalars.count)]))
    }

    private mutating func hereDocument(_ document: (end: String, isQuoted: Bool, stripsTabs: Bool)) -> String {
        var pieces: [ShellText.Piece] = []
        while index < scalars.count {
            var end = index
            while end < scalars.count, scalars[end] != "\n" { end += 1 }
            var line = scalars[index..<end]
            index = min(end + 1, scalars.count)
            if document.stripsTabs { line = line.drop { $0 == "\t" } }
            var text = String(String.UnicodeScalarView(line))
            if text.hasSuffix("\r") { text.removeLast() }
            if text == document.end { break }
            pieces += document.isQuoted ? text.utf8.map(ShellText.Piece.byte) : expanded(line)
            pieces.append(.byte(0x0a))
        }
        return ShellText.text(of: pieces)
    }

    /// A line of a here-document whose end is not quoted.
    private mutating func expanded(_ line: ArraySlice<Unicode.Scalar>) -> [ShellText.Piece] {
        var pieces: [ShellText.Piece] = []
        var inner = ShellLexer(String(String.UnicodeScalarView(line)), file: file, dialect: dialect)
        while let scalar = inner.peek() {
            if scalar == "\\", let next = inner.peek(1), "$`\\".unicodeScalars.contains(next) {
                pieces += String(next).utf8.map(ShellText.Piece.byte)
                inner.index += 2
            } else if scalar == "$", let name = inner.variable() {
                pieces.append(.variable(name))
            } else if scalar == "`" || inner.follows("$("), let text = inner.closedSubstitution() {
                substitutions.append(.init(text: text, place: place(line.startIndex)))
                pieces.append(ShellText.substitution(text))
            } else {
                pieces += String(scalar).utf8.map(ShellText.Piece.byte)
                inner.index += 1
            }
        }
        return pieces
    }

    /// The substitution at the position; nil for one that does not end in the text, which stays as it is.
    private mutating func closedSubstitution() -> String? {
        let start = index
        do throws(Diagnostic) { return try substitution(from: start) } catch {
            index = start
            return nil
        }
    }

    // MARK: Words

    mutating func word() throws(Diagnostic) -> String {
        var pieces: [ShellText.Piece] = []
        switch dialect {
        case .posix: try posixWord(&pieces)
        case .cmd: try cmdWord(&pieces)
        case .powerShell: try powerShellWord(&pieces)
        }
        return ShellText.text(of: pieces)
    }

    func isEnd(_ scalar: Unicode.Scalar) -> Bool { " \t\r\n;&|<>\u{a0}".unicodeScalars.contains(scalar) }

    func append(_ scalar: Unicode.Scalar, to pieces: inout [ShellText.Piece]) {
        pieces += String(scalar).utf8.map(ShellText.Piece.byte)
    }
}

extension ShellLexer {
    /// A word of cmd: first the carets, then the quotes and backslashes of the C runtime.
    mutating func cmdWord(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        let start = index
        // Whether cmd sees a quoted text, in which carets are literal, and whether the C runtime sees one.
        var (isQuotedByCmd, isQuoted) = (false, false)
        var backslashes = 0
        func flush() -> [ShellText.Piece] { Array(repeating: .byte(0x5c), count: backslashes) }
        while var scalar = peek() {
            var isEscaped = false
            if scalar == "^", !isQuotedByCmd {
                index += 1
                if peek() == "\r", peek(1) == "\n" { index += 1 }
                // An escaped line break joins the lines; the character after it is escaped, so that two of them are one line break.
                if peek() == "\n" {
                    index += 1
                    if peek() == "\r", peek(1) == "\n" { index += 1 }
                    if !isQuoted, peek() != "\n" {
                        pieces += flush()
                        return
                    }
                }
                guard let next = peek() else { break }
                (scalar, isEscaped) = (next, true)
            } else if !isQuotedByCmd, scalar == "\n" || scalar == "\r" {
                break
            }
            if !isQuoted, !(isEscaped && !" \t".unicodeScalars.contains(scalar)), isEnd(scalar), scalar != ";" { break }
            index += 1
            switch scalar {
            case "\\": backslashes += 1
            case "\"":
                if !isEscaped { isQuotedByCmd.toggle() }
                pieces += Array(repeating: .byte(0x5c), count: backslashes / 2)
                if backslashes % 2 == 1 {
                    pieces.append(.byte(0x22))
                } else if isQuoted, peek() == "\"" || (peek() == "^" && peek(1) == "\"") {
                    // A doubled quote is a quote in a quoted text.
                    if peek() == "\"" { isQuotedByCmd.toggle() }
                    index += peek() == "^" ? 2 : 1
                    pieces.append(.byte(0x22))
                } else {
                    isQuoted.toggle()
                }
                backslashes = 0
            default:
                pieces += flush()
                backslashes = 0
                append(scalar, to: &pieces)
            }
        }
        pieces += flush()
        guard !isQuoted else { throw Diagnostic(place(start), "a quote \" of this word is not closed; the command may be incomplete") }
    }
}

extension ShellLexer {
    mutating func powerShellWord(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        while let scalar = peek(), !isEnd(scalar) {
            switch scalar {
            case "'":
                let start = index
                index += 1
                while let inner = peek() {
                    if inner == "'" {
                        guard peek(1) == "'" else { break }
                        index += 1
                    }
                    // Programs get `"` only from `\"`.
                    if inner == "\\", peek(1) == "\"" { index += 1 }
                    if let inner = peek() { append(inner, to: &pieces) }
                    index += 1
                }
                try closeQuote(from: start, "'")
            case "\"":
                let start = index
                index += 1
                while let inner = peek() {
                    if inner == "\"" {
                        guard peek(1) == "\"" else { break }
                        index += 1
                    } else if inner == "`" {
                        try backtick(&pieces)
                        continue
                    } else if inner == "\\", peek(1) == "`", peek(2) == "\"" {
                        index += 1
                        continue
                    } else if inner == "$", let name = powerShellVariable() {
                        pieces.append(.variable(name))
                        continue
                    }
                    if let inner = peek() { append(inner, to: &pieces) }
                    index += 1
                }
                try closeQuote(from: start, "\"")
            case "`" where !isContinuation: try backtick(&pieces)
            case "`": return skipContinuation()
            case "$":
                if let name = powerShellVariable() {
                    pieces.append(.variable(name))
                } else {
                    append(scalar, to: &pieces)
                    index += 1
                }
            default:
                append(scalar, to: &pieces)
                index += 1
            }
        }
    }

    private mutating func backtick(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        index += 1
        guard let next = peek() else { return }
        index += 1
        switch next {
        case "n": pieces.append(.byte(0x0a))
        case "r": pieces.append(.byte(0x0d))
        case "t": pieces.append(.byte(0x09))
        case "0": pieces.append(.byte(0))
        default: append(next, to: &pieces)
        }
    }

    /// `$NAME`, `${NAME}` and `$env:NAME`.
    private mutating func powerShellVariable() -> String? {
        guard follows("$env:") else { return variable() }
        var end = index + 5
        let start = end
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        guard end > start else { return nil }
        index = end
        return String(String.UnicodeScalarView(scalars[start..<end]))
    }
}
