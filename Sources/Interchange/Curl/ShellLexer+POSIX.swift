internal import SortieBase

extension ShellLexer {
    mutating func posixWord(_ pieces: inout [ShellText.Piece], marksBraces: Bool) throws(Diagnostic) {
        while let scalar = peek(), !isEnd(scalar) {
            switch scalar {
            case "'": try singleQuoted(&pieces)
            case "\"": try doubleQuoted(&pieces)
            case "$" where peek(1) == "'": try ansiQuoted(&pieces)
            case "$" where peek(1) == "\"": index += 1
            case _ where isContinuation: skipContinuation()
            case "\\":
                index += 1
                if let next = peek() {
                    append(next, to: &pieces)
                    index += 1
                }
            case "$", "`": try expansion(&pieces)
            case "{" where marksBraces, "," where marksBraces, "}" where marksBraces:
                pieces.append(ShellBraces.mark(scalar))
                index += 1
            default:
                append(scalar, to: &pieces)
                index += 1
            }
        }
    }

    private mutating func singleQuoted(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        let start = index
        index += 1
        while let scalar = peek(), scalar != "'" {
            append(scalar, to: &pieces)
            index += 1
        }
        try closeQuote(from: start, "'")
    }

    mutating func closeQuote(from start: Int, _ quote: Unicode.Scalar) throws(Diagnostic) {
        guard peek() == quote else { throw Diagnostic(place(start), "this quote \(quote) is not closed; the command may be incomplete") }
        index += 1
    }

    private mutating func doubleQuoted(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        let start = index
        index += 1
        while let scalar = peek(), scalar != "\"" {
            if isContinuation {
                skipContinuation()
            } else if scalar == "\\", let next = peek(1), "$`\"\\".unicodeScalars.contains(next) {
                append(next, to: &pieces)
                index += 2
            } else if scalar == "$" || scalar == "`" {
                try expansion(&pieces)
            } else {
                append(scalar, to: &pieces)
                index += 1
            }
        }
        try closeQuote(from: start, "\"")
    }

    /// `$NAME`, `${NAME}` and what the shell replaces by other values; a `$` before anything else is itself.
    private mutating func expansion(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        let start = index
        if let name = encodedVariable() { return pieces.append(ShellText.encoded(name)) }
        if let name = variable() ?? variableWithDefault() {
            pieces.append(.variable(name))
        } else if peek() == "`" || follows("$(") || follows("${") {
            let text = ShellCommand.Word(text: try substitution(from: start), place: place(start))
            if !isNested, let output = Self.output(ofSubstitution: text) {
                pieces += ShellText.pieces(of: output)
            } else {
                substitutions.append(text)
                pieces.append(ShellText.substitution(text.text))
            }
        } else if let next = peek(1), "0123456789@*#?!$".unicodeScalars.contains(next) {
            // An argument of a function or of the script, or a state of the shell.
            let text = ShellCommand.Word(text: "$\(next)", place: place(start))
            index += 2
            substitutions.append(text)
            pieces.append(.variable("$argument \(next)"))
        } else {
            append("$", to: &pieces)
            index += 1
        }
    }

    /// The output of `echo`, `printf` or of `cat` with a here-document, without the line breaks at its end; nil for other commands.
    private static func output(ofSubstitution text: ShellCommand.Word) -> String? {
        let commands: [ShellCommand]
        do throws(Diagnostic) { commands = try ShellLexer.commands(ofSubstitution: text) } catch { return nil }
        guard commands.count == 1, let command = commands.first, command.substitutions.isEmpty, command.problem == nil,
            command.words.count > 1 || command.words.first?.text == "cat", case .text(var output) = output(of: command)
        else { return nil }
        while output.last == "\n" { output.removeLast() }
        return output
    }

    /// The name of the variable in `$(urlencode "$NAME")` of an exported command.
    private mutating func encodedVariable() -> String? {
        let start = index
        let opening = "$(\(ShellEncoding.url.rawValue) \""
        guard follows(opening) else { return nil }
        index += opening.unicodeScalars.count
        if let name = variable(), follows("\")") {
            index += 2
            return name
        }
        index = start
        return nil
    }

    /// The name in `${NAME:-value}` or `${NAME-value}` at the position, where the value is plain text; nil for other forms.
    private mutating func variableWithDefault() -> String? {
        guard follows("${") else { return nil }
        let start = index + 2
        var end = start
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        guard end > start, !("0"..."9").contains(scalars[start]), end < scalars.count, let close = scalars[end...].firstIndex(of: "}") else {
            return nil
        }
        let name = String(String.UnicodeScalarView(scalars[start..<end]))
        var value = scalars[end..<close]
        if value.first == ":" { value.removeFirst() }
        guard value.popFirst() == "-", !value.contains(where: { "$`'\"\\{\n".unicodeScalars.contains($0) }) else { return nil }
        defaults.append((name, String(String.UnicodeScalarView(value)), place(index)))
        index = close + 1
        return name
    }

    /// Skips the definition of a function of exported commands; returns whether there was one.
    mutating func skipDefinition() -> Bool {
        guard let definition = ShellEncoding.allCases.lazy.compactMap(\.definition).first(where: follows) else { return false }
        index += definition.unicodeScalars.count
        return true
    }

    static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// The name of the variable at the position, which moves behind it; nil where there is none.
    mutating func variable() -> String? {
        guard peek() == "$" else { return nil }
        let isBraced = peek(1) == "{"
        var end = index + (isBraced ? 2 : 1)
        let start = end
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        guard end > start, !("0"..."9").contains(scalars[start]), !isBraced || (end < scalars.count && scalars[end] == "}") else { return nil }
        index = isBraced ? end + 1 : end
        return String(String.UnicodeScalarView(scalars[start..<end]))
    }

    /// `$'…'` (POSIX.1-2024 §2.2.4, and `\u`, `\U` of bash).
    private mutating func ansiQuoted(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        let start = index
        index += 2
        while let scalar = peek(), scalar != "'" {
            guard scalar == "\\", let next = peek(1) else {
                append(scalar, to: &pieces)
                index += 1
                continue
            }
            index += 2
            switch next {
            case "n": pieces.append(.byte(0x0a))
            case "t": pieces.append(.byte(0x09))
            case "r": pieces.append(.byte(0x0d))
            case "a": pieces.append(.byte(0x07))
            case "b": pieces.append(.byte(0x08))
            case "e", "E": pieces.append(.byte(0x1b))
            case "f": pieces.append(.byte(0x0c))
            case "v": pieces.append(.byte(0x0b))
            case "x": number(radix: 16, most: 2, otherwise: "\\x", isScalar: false, &pieces)
            case "u": number(radix: 16, most: 4, otherwise: "\\u", isScalar: true, &pieces)
            case "U": number(radix: 16, most: 8, otherwise: "\\U", isScalar: true, &pieces)
            case "0"..."7":
                index -= 1
                number(radix: 8, most: 3, otherwise: "", isScalar: false, &pieces)
            case "c":
                if let control = peek() {
                    pieces.append(.byte(UInt8(truncatingIfNeeded: control.value) & 0x1f))
                    index += 1
                }
            case "\\", "'", "\"", "?": append(next, to: &pieces)
            default: pieces += ("\\" + String(next)).utf8.map(ShellText.Piece.byte)
            }
        }
        try closeQuote(from: start, "'")
    }

    private mutating func number(radix: Int, most: Int, otherwise: String, isScalar: Bool, _ pieces: inout [ShellText.Piece]) {
        var digits = ""
        while digits.count < most, let scalar = peek(), scalar.isASCII, Character(scalar).isHexDigit, Int(String(scalar), radix: radix) != nil {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        guard let value = UInt32(digits, radix: radix) else {
            pieces += otherwise.utf8.map(ShellText.Piece.byte)
            return
        }
        if isScalar, let scalar = Unicode.Scalar(value) {
            append(scalar, to: &pieces)
        } else if !isScalar {
            pieces.append(.byte(UInt8(truncatingIfNeeded: value)))
        } else {
            // Browsers write characters beyond U+FFFF as a pair of surrogates.
            pieces += surrogates(first: value)
        }
    }

    /// The character of a pair of surrogates `\uD83D\uDE00`; a lone one becomes U+FFFD.
    private mutating func surrogates(first: UInt32) -> [ShellText.Piece] {
        var scalar: Unicode.Scalar = "\u{FFFD}"
        if (0xd800...0xdbff).contains(first), peek() == "\\", peek(1) == "u", index + 6 <= scalars.count,
            let low = UInt32(String(String.UnicodeScalarView(scalars[index + 2..<index + 6])), radix: 16), (0xdc00...0xdfff).contains(low)
        {
            index += 6
            scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (low - 0xdc00)) ?? scalar
        }
        return String(scalar).utf8.map(ShellText.Piece.byte)
    }
}
