internal import SortieBase

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
