/// Texts in quotes: with the escapes that C, JSON, Python, Swift and YAML share, and for a POSIX shell.
package enum QuotedText {
    /// A text in which the quote, backslashes, line breaks and tabs have a backslash before them.
    ///
    /// - Parameter escape: The escape of any other character; nil for a character that stays.
    package static func escaped(_ text: String, quote: Unicode.Scalar = "\"", _ escape: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case quote, "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            default:
                if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// A text between apostrophes, as one word of a POSIX shell (POSIX.1-2017, Shell §2.2.2).
    package static func inApostrophes(_ text: String) -> String { "'\(text.replacing(scalars: "'", with: #"'\''"#))'" }

    /// Whether a text is one word of a POSIX shell without quotes.
    package static func isShellWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { byte in ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_./:@%+,=".utf8.contains(byte) }
    }
}

extension String {
    /// The text with another one in place of each occurrence of a part, which is found by scalars.
    ///
    /// `replacing(_:with:)` compares characters: a quote before a combining mark forms one with it, is not found, and would end a quoted text.
    package func replacing(scalars part: String, with other: String) -> String {
        // By bytes, which are those of whole scalars in UTF-8: the algorithm of the standard library takes a second for a megabyte with many occurrences.
        let (bytes, found, new) = (Array(utf8), Array(part.utf8), Array(other.utf8))
        guard let first = found.first else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: found) {
                result += new
                index += found.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
