internal import SortieBase

/// Splits a script into commands and words; nothing is run.
struct ShellLexer {
    let scalars: [Unicode.Scalar]
    private let dialect: ShellDialect
    var index = 0
    private var commands: [ShellCommand] = []
    private var words: [ShellCommand.Word] = []
    private var input = ShellCommand.Input.inherited
    var substitutions: [ShellCommand.Word] = []
    var defaults: [(name: String, value: String, place: SourceLocation)] = []
    private var problem: Diagnostic?
    /// Whether the last command's output is the input of the next one.
    private var isPiped = false
    /// Here-documents whose text begins after the current line.
    private var pending: [HereDocument] = []
    /// The offsets at which lines begin, for places.
    private let lineStarts: [Int]
    /// The place of the first character.
    private let origin: SourceLocation
    /// Whether the text is that of a substitution, in which the output of further ones is not read.
    private(set) var isNested = false
    /// The number of subshells, `( … )`, that are open.
    private var subshells = 0

    /// The commands of a script.
    ///
    /// - Throws: A diagnostic with the place of a quote that is not closed.
    static func commands(in text: String, file: String, dialect: ShellDialect? = nil) throws(Diagnostic) -> [ShellCommand] {
        try commands(in: text, at: SourceLocation(file: file), dialect: dialect)
    }

    /// The commands of a part of a file, which begins at a place.
    ///
    /// - Throws: A diagnostic with the place of a quote that is not closed.
    static func commands(in text: String, at place: SourceLocation, dialect: ShellDialect? = nil) throws(Diagnostic) -> [ShellCommand] {
        var lexer = ShellLexer(text, at: place, dialect: dialect ?? .detected(in: text))
        return try lexer.run()
    }

    /// The commands of a substitution, `$(…)` or `` `…` ``, as it is written; none for another text.
    static func commands(ofSubstitution text: ShellCommand.Word) throws(Diagnostic) -> [ShellCommand] {
        let isQuote = text.text.hasPrefix("`")
        guard isQuote || text.text.hasPrefix("$(") && !text.text.hasPrefix("$((") else { return [] }
        let start = isQuote ? 1 : 2
        var place = text.place
        place.column += start
        var lexer = ShellLexer(String(text.text.dropFirst(start).dropLast()), at: place, dialect: .posix)
        lexer.isNested = true
        return try lexer.run()
    }

    /// A here-document before its text.
    private struct HereDocument {
        var end: String
        var isQuoted: Bool
        var stripsTabs: Bool
        /// The index of its command; nil for the current one.
        var command: Int?
    }

    private init(_ text: String, at origin: SourceLocation, dialect: ShellDialect) {
        let scalars = Array(text.unicodeScalars)
        self.scalars = scalars
        (self.origin, self.dialect) = (origin, dialect)
        lineStarts = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
    }

    func place(_ index: Int) -> SourceLocation {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= index { low = middle } else { high = middle }
        }
        return SourceLocation(
            file: origin.file, line: origin.line + low, column: index - lineStarts[low] + (low == 0 ? origin.column : 1))
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
            case ">" where peek(1) == "(" && dialect == .posix:
                // The path of a pipe to another command.
                let start = index
                words.append(ShellCommand.Word(text: try substitution(from: start), place: place(start)))
            case "<", ">": try redirection()
            case "(" where dialect == .posix && words.isEmpty:
                index += 1
                subshells += 1
            case ")" where subshells > 0:
                index += 1
                subshells -= 1
                endCommand(piped: false)
            default:
                // `2>file`
                if dialect != .powerShell, ("0"..."9").contains(scalar), peek(1) == ">" || peek(1) == "<" {
                    index += 1
                    try redirection()
                } else if !words.isEmpty || !skipDefinition() {
                    words += try element()
                }
            }
        }
        endCommand(piped: false)
        return commands
    }

    /// A word of a command, or the assignment of an array.
    private mutating func element() throws(Diagnostic) -> [ShellCommand.Word] {
        let start = index
        guard dialect == .posix, let name = arrayName() else { return try plainWords() }
        subshells += 1
        defer { subshells -= 1 }
        var elements: [ShellCommand.Word] = []
        while let scalar = peek() {
            if scalar == ")" {
                index += 1
                return [ShellCommand.Word(text: name, place: place(start), array: elements)]
            } else if scalar == "#" {
                while let next = peek(), next != "\n" { index += 1 }
            } else if isContinuation {
                skipContinuation()
            } else if isEnd(scalar) {
                index += 1
            } else {
                elements += try plainWords()
            }
        }
        throw Diagnostic(place(start), "the array is not closed; write ) after it")
    }

    /// A word, or the words that its braces stand for.
    private mutating func plainWords() throws(Diagnostic) -> [ShellCommand.Word] {
        let start = index
        let text = try word(marksBraces: dialect == .posix)
        let written = scalars[start..<index]
        let isSplit = dialect == .posix && written.contains("$") && !written.contains { "'\"\\`".unicodeScalars.contains($0) }
        return ShellBraces.expanded(text).map { ShellCommand.Word(text: $0, place: place(start), isSplit: isSplit) }
    }

    /// The name in `NAME=(`, or with a plus at its end in `NAME+=(`, at the position, which moves behind it; nil where there is none.
    private mutating func arrayName() -> String? {
        var end = index
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        if end > index, end < scalars.count, scalars[end] == "+" { end += 1 }
        guard end > index, end + 1 < scalars.count, scalars[end] == "=", scalars[end + 1] == "(" else { return nil }
        defer { index = end + 2 }
        return String(String.UnicodeScalarView(scalars[index..<end]))
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
        for document in pending {
            let text = ShellCommand.Input.text(hereDocument(document))
            if let command = document.command { commands[command].input = text } else { input = text }
        }
        pending = []
        guard !words.isEmpty else { return endCommand(piped: false) }
        // Options after a blank line continue the command, because no command begins with `-`; people remove `\` before blank lines.
        var next = index
        while next < scalars.count, " \t\r\n".unicodeScalars.contains(scalars[next]) { next += 1 }
        let isOption = next + 1 < scalars.count && scalars[next] == "-" && !" \t\n".unicodeScalars.contains(scalars[next + 1])
        if isOption { index = next } else { endCommand(piped: false) }
    }

    private mutating func endCommand(piped: Bool) {
        defer {
            (words, input, isPiped) = ([], .inherited, piped && !words.isEmpty)
            (substitutions, defaults, problem) = ([], [], nil)
        }
        guard let first = words.first else { return }
        var command = ShellCommand(words: words, input: input, place: first.place, substitutions: substitutions, defaults: defaults, problem: problem)
        if isPiped, let previous = commands.last {
            command.input = Self.output(of: previous)
            // The command before the pipe is part of this one.
            if case .output = command.input {
            } else {
                command.substitutions = previous.substitutions + command.substitutions
                command.defaults = previous.defaults + command.defaults
                command.problem = previous.problem ?? command.problem
                commands.removeLast()
            }
        }
        // That of a command before the pipe becomes the input of this one, which takes its place in the list.
        for index in pending.indices where pending[index].command == nil { pending[index].command = commands.count }
        commands.append(command)
    }

    /// The output of a command where it is known without running it.
    static func output(of command: ShellCommand) -> ShellCommand.Input {
        let words = command.words.map(\.text)
        let rest = words.dropFirst()
        switch words.first {
        case "echo" where rest.first == "-n": return .text(rest.dropFirst().joined(separator: " "))
        case "echo" where ["-e", "-en", "-ne"].contains(rest.first ?? ""):
            // An octal number has another notation than in printf.
            let words = rest.dropFirst().joined(separator: " ")
            if !words.contains("\\0"), let text = PrintfText.text(words.replacing("%", with: "%%"), arguments: []) {
                return .text(rest.first == "-e" ? text + "\n" : text)
            }
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
            pending.append(HereDocument(end: try word(), isQuoted: isQuoted, stripsTabs: stripsTabs))
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
        while peek()?.isSpaceOrTab == true { index += 1 }
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
        var documents: [String] = []
        while depth > 0 {
            if quote == nil, open == "(", follows("<<"), !follows("<<<") { documents.append(hereDocumentEnd()) }
            if quote == nil, peek() == "\n", !documents.isEmpty {
                for end in documents { skipHereDocument(to: end) }
                documents = []
            }
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

    /// Moves behind `<<END`; returns the line that ends the text.
    private mutating func hereDocumentEnd() -> String {
        index += peek(2) == "-" ? 3 : 2
        skipSpaces()
        let start = index
        while let scalar = peek(), !isEnd(scalar), scalar != ")" { index += 1 }
        return String(String.UnicodeScalarView(scalars[start..<index].filter { !"'\"\\".unicodeScalars.contains($0) }))
    }

    /// Moves to the end of the line that ends a here-document, or to the end of the text.
    private mutating func skipHereDocument(to end: String) {
        while peek() != nil {
            index += 1
            let start = index
            while let scalar = peek(), scalar != "\n" { index += 1 }
            let line = scalars[start..<index].drop { $0 == "\t" }
            if line.elementsEqual(end.unicodeScalars) { return }
        }
    }

    private mutating func hereDocument(_ document: HereDocument) -> String {
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
        var inner = ShellLexer(String(String.UnicodeScalarView(line)), at: origin, dialect: dialect)
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

    /// - Parameter marksBraces: Whether `{`, `,` and `}` outside of quotes become marks of ``ShellBraces``.
    mutating func word(marksBraces: Bool = false) throws(Diagnostic) -> String {
        var pieces: [ShellText.Piece] = []
        switch dialect {
        case .posix: try posixWord(&pieces, marksBraces: marksBraces)
        case .cmd: try cmdWord(&pieces)
        case .powerShell: try powerShellWord(&pieces)
        }
        return ShellText.text(of: pieces)
    }

    func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        " \t\r\n;&|<>\u{a0}".unicodeScalars.contains(scalar) || scalar == ")" && subshells > 0
    }

    func append(_ scalar: Unicode.Scalar, to pieces: inout [ShellText.Piece]) {
        pieces += String(scalar).utf8.map(ShellText.Piece.byte)
    }
}
