internal import SortieBase

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
