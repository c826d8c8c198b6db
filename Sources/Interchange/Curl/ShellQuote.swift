internal import SortieBase

/// Quotes words for a POSIX shell.
package enum ShellQuote {
    /// A text as one word; placeholders become variables in double quotes (POSIX.1-2017, Shell §2.2).
    ///
    /// Control and format characters are written with `printf`, because a terminal would interpret them, and not every shell has `$'…'`.
    ///
    /// - Parameters:
    ///   - encoding: The notation of the text.
    ///   - raw: The names of variables whose values are not changed.
    static func word(
        _ text: String, _ placeholders: ExportPlaceholder, as encoding: ShellEncoding = .plain, raw: Set<String> = []
    ) -> String {
        let pieces = placeholders.pieces(of: text)
        guard !pieces.isEmpty else { return "''" }
        return zip(pieces, encoding.encodings(of: pieces, raw: raw)).map { piece, encoding in
            switch piece {
            case .variable(let name), .captured(let name), .generated(let name): encoding.expansion(of: name)
            case .text(let text): quoted(text)
            }
        }.joined()
    }

    /// A text as one word, in single quotes where it needs them.
    package static func quoted(_ text: String) -> String {
        if text.isEmpty { return "''" }
        if QuotedText.isShellWord(text) { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            let isHidden = isHidden(first)
            let run = rest.prefix { self.isHidden($0) == isHidden }
            let piece = String(String.UnicodeScalarView(run))
            // Command substitution removes line breaks at the end, which no hidden run has.
            result += isHidden ? "\"$(printf \(printfFormat(Array(piece.utf8))))\"" : QuotedText.inApostrophes(piece)
            rest = rest[run.endIndex...]
        }
        return result
    }

    /// Whether a terminal interprets or hides the character: control characters except line break and tab, and format characters such as bidi marks.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n" && scalar != "\t"
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// A text in a comment on one line, with hidden characters as `<U+1B>`.
    static func comment(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if scalar == "\n" || scalar == "\t" { return " " }
            return isHidden(scalar) ? "<U+\(String(scalar.value, radix: 16, uppercase: true))>" : String(scalar)
        }.joined()
    }

    /// The arguments of `printf` for bytes; placeholders in text become variables in double quotes.
    static func printfArguments(
        _ bytes: [UInt8], _ placeholders: ExportPlaceholder, as encoding: ShellEncoding = .plain, raw: Set<String> = []
    ) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return printfFormat(bytes) }
        var format = "'"
        var variables = ""
        let pieces = placeholders.pieces(of: text)
        for (piece, encoding) in zip(pieces, encoding.encodings(of: pieces, raw: raw)) {
            switch piece {
            case .text(let text): format += printfFormat(Array(text.utf8)).dropFirst().dropLast()
            case .variable(let name), .captured(let name), .generated(let name):
                format += "%s"
                variables += " " + encoding.expansion(of: name)
            }
        }
        return format + "'" + variables
    }

    /// Bytes as the format of `printf`, with octal escapes where a text in a script cannot have them.
    static func printfFormat(_ bytes: [UInt8]) -> String {
        var result = "'"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"): result += "%%"
            case UInt8(ascii: "\\"): result += "\\\\"
            case UInt8(ascii: "'"): result += #"'\''"#
            case 0x20...0x7e: result.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x0a: result += "\\n"
            default:
                result += "\\" + byte.padded(to: 3, radix: 8)
            }
        }
        return result + "'"
    }
}
