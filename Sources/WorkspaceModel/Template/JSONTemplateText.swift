internal import SortieBase

/// Writes the values of templates into JSON text (RFC 8259).
///
/// The author's text is preserved byte for byte.
enum JSONTemplateText {
    /// - Throws: A ``TemplateError`` for a value outside quotes that is not one JSON value, and for a template that continues an escape.
    package static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        let isWhole = pieces.count == 1
        var output = ""
        var lexer = Lexer()
        /// The number of characters of the next text that are already written.
        var skipped = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text):
                let rest = text.dropFirst(skipped)
                skipped = 0
                lexer.read(rest)
                output += rest
            case .value(let value, _, isRaw: true):
                if lexer.isAtStringStart, index + 1 < pieces.count, case .text(let next) = pieces[index + 1], next.hasPrefix("\"") {
                    output.removeLast()
                    skipped = 1
                    lexer = Lexer()
                }
                lexer.isAtStringStart = false
                output += value
            case .value(let value, let template, isRaw: false):
                guard !lexer.isInEscape else {
                    throw TemplateError("the backslash before \(template) would change its value; remove it")
                }
                if lexer.isInString {
                    output += JSONText.escaped(value)
                    lexer.isAtStringStart = false
                } else if isWhole && value.isEmpty || JSONText.problem(in: value) == nil {
                    output += value
                } else {
                    throw TemplateError(
                        "\(template) is outside quotes, but its value is not one JSON value; put quotes around it for a text, or write "
                            + "\(template.raw) to insert it as it is")
                }
            }
        }
        return output
    }

    /// Tracks whether a position of JSON text is inside a string.
    private struct Lexer {
        var isInString = false
        /// Whether the last character was the quote that opened a string.
        var isAtStringStart = false
        /// The number of remaining characters of the current escape.
        private var escape = 0
        private var isFirstOfEscape = false

        var isInEscape: Bool { escape > 0 }

        package mutating func read(_ text: Substring) {
            for byte in text.utf8 {
                isAtStringStart = false
                if escape > 0 {
                    escape = escape == 1 && byte == UInt8(ascii: "u") && isFirstOfEscape ? 4 : escape - 1
                    isFirstOfEscape = false
                } else if isInString, byte == UInt8(ascii: "\\") {
                    escape = 1
                    isFirstOfEscape = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString.toggle()
                    isAtStringStart = isInString
                }
            }
        }
    }
}
