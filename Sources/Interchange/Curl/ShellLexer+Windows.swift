internal import SortieBase

extension ShellLexer {
    /// A word of cmd: first the carets, then the quotes and backslashes of the C runtime.
    mutating func cmdWord(_ pieces: inout [ShellText.Piece]) throws(Diagnostic) {
        if let text = earlierChromeWord() {
            pieces += text.utf8.map(ShellText.Piece.byte)
            return
        }
        let start = index
        // Whether the text is quoted for cmd, which then takes carets literally, and for the C runtime.
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
            case "%" where !isEscaped && cmdVariable() != nil:
                pieces += flush()
                backslashes = 0
                if let name = cmdVariable() {
                    pieces.append(.variable(name))
                    index += name.unicodeScalars.count + 1
                }
            case "%" where !isEscaped && peek() == "%":
                // A batch file doubles a percent sign.
                pieces += flush() + [.byte(0x25)]
                backslashes = 0
                index += 1
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
    /// The name of the variable `%NAME%` whose first percent sign is before the position; nil for the percent-encoding of a URL, such as `%C3%A9`.
    private func cmdVariable() -> String? {
        var end = index
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        guard end < scalars.count, end > index, scalars[end] == "%", !("0"..."9").contains(scalars[index]) else { return nil }
        func isEncoded(at start: Int) -> Bool {
            start + 1 < scalars.count && scalars[start...(start + 1)].allSatisfy { Character($0).isHexDigit }
        }
        return isEncoded(at: index) && isEncoded(at: end + 1) ? nil : String(String.UnicodeScalarView(scalars[index..<end]))
    }

    /// Reads a word as earlier versions of Chrome wrote it for cmd, and moves the position behind it.
    ///
    /// Its quotes have no caret, but all characters in it except letters, digits and some marks have one, as in `^%^20`. cmd would keep these carets, which
    /// were a mistake.
    ///
    /// - Returns: nil for another word, and for one without carets.
    private mutating func earlierChromeWord() -> String? {
        guard peek() == "\"" else { return nil }
        var (end, hasCaret) = (index + 1, false)
        var result = String.UnicodeScalarView()
        func scalar(_ index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
        func lineEnd(_ index: Int) -> Int? { scalar(index) == "\n" ? 1 : scalar(index) == "\r" && scalar(index + 1) == "\n" ? 2 : nil }
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            !scalar.isASCII || Self.isNameScalar(scalar) || " \t-:=+~'/.,?;()*`".unicodeScalars.contains(scalar)
        }
        while let next = scalar(end), next != "\"" {
            if next == "^" {
                hasCaret = true
                end += 1
                // An escaped line break and another one are one.
                if let first = lineEnd(end), let second = lineEnd(end + first) {
                    result.append("\n")
                    end += first + second
                } else if let escaped = scalar(end), lineEnd(end) == nil, !isPlain(escaped) || result.last == "%" {
                    result.append(escaped)
                    end += 1
                } else {
                    return nil
                }
            } else if isPlain(next) {
                result.append(next)
                end += 1
            } else {
                return nil
            }
        }
        guard hasCaret, scalar(end) != nil, scalar(end + 1).map({ " \t\r\n".unicodeScalars.contains($0) }) ?? true else { return nil }
        index = end + 1
        var text = String.UnicodeScalarView()
        var rest = result[...]
        while let first = rest.popFirst() {
            text.append(first == "\\" && (rest.first == "\\" || rest.first == "\"") ? rest.removeFirst() : first)
        }
        return String(text)
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
        if let byte = PowerShellEscape.byte(of: next) { pieces.append(.byte(byte)) } else { append(next, to: &pieces) }
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

/// The characters after a backtick that do not stand for themselves (about_Special_Characters of PowerShell 5.1).
enum PowerShellEscape {
    /// The byte for a character; nil for one that stands for itself.
    static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0": 0
        case "a": 0x07
        case "b": 0x08
        case "t": 0x09
        case "n": 0x0a
        case "v": 0x0b
        case "f": 0x0c
        case "r": 0x0d
        default: nil
        }
    }
}
