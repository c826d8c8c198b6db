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
        }
        guard let first = words.first else { return }
        var command = ShellCommand(words: words, input: input, place: first.place)
        if isPiped, let previous = commands.last {
            command.input = Self.output(of: previous)
            // The command before the pipe is part of this one.
            if case .output = command.input {} else { commands.removeLast() }
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
                throw Diagnostic(place(start), "the output of a command cannot be imported; write the text itself, or put it into a file")
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
            pieces += document.isQuoted ? text.utf8.map(ShellText.Piece.byte) : expanded(Array(line))
            pieces.append(.byte(0x0a))
        }
        return ShellText.text(of: pieces)
    }

    /// A line of a here-document whose end is not quoted.
    private func expanded(_ line: [Unicode.Scalar]) -> [ShellText.Piece] {
        var inner = self
        var pieces: [ShellText.Piece] = []
        inner.index = 0
        inner = ShellLexer(String(String.UnicodeScalarView(line)), file: file, dialect: dialect)
        while let scalar = inner.peek() {
            if scalar == "\\", let next = inner.peek(1), "$`\\".unicodeScalars.contains(next) {
                pieces += String(next).utf8.map(ShellText.Piece.byte)
                inner.index += 2
            } else if scalar == "$", let name = inner.variable() {
                pieces.append(.variable(name))
            } else {
                pieces += String(scalar).utf8.map(ShellText.Piece.byte)
                inner.index += 1
            }
        }
        return pieces
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
