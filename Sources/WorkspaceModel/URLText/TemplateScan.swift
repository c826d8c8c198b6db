internal import SortieBase

/// Reads a typed URL around its templates.
enum TemplateScan {
    /// The text before and after the first occurrence of a separator outside of templates; nil after it where there is none.
    static func split(_ text: Substring, at separator: Character) -> (before: Substring, after: Substring?) {
        var index = text.startIndex
        while index < text.endIndex {
            if let end = template(in: text, at: index) {
                index = end
            } else if text[index] == separator {
                return (text[..<index], text[text.index(after: index)...])
            } else {
                index = text.index(after: index)
            }
        }
        return (text, nil)
    }

    /// The pieces between the separators outside of templates.
    static func pieces(_ text: Substring, separator: Character) -> [Substring] {
        var pieces: [Substring] = []
        var rest: Substring? = text
        while let text = rest {
            let (before, after) = split(text, at: separator)
            pieces.append(before)
            rest = after
        }
        return pieces
    }

    /// A name or value of a query, percent-decoded outside of templates; nil where it is not UTF-8.
    ///
    /// Two braces that were encoded are text, and no template.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var isUTF8 = true
        let result = mapText(text) { text in
            let decoded = String(validating: PercentEncoding.decodedBytes(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
            guard let decoded else {
                isUTF8 = false
                return text
            }
            return text.contains("{{") ? decoded : Template.quoting(decoded)
        }
        return isUTF8 ? result : nil
    }

    /// A name or value as part of a URL, without a spelling: a character that would be sent as it is in a typed URL, and percent-encoded in a row, is
    /// percent-encoded.
    static func encodedWhereReserved(_ text: String) -> String {
        mapText(text[...]) { text in
            text.utf8.reduce(into: [UInt8]()) { result, byte in
                let (typed, usual) = (
                    PercentEncoding.encode(bytes: [byte], allowed: .query), PercentEncoding.encode(bytes: [byte], allowed: .unreserved)
                )
                let isReadDifferently = byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "#")
                if typed != usual || isReadDifferently { result += usual.utf8 } else { result.append(byte) }
            }.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The text percent-encoded outside of templates.
    static func encoded(_ text: Substring, allowed: PercentEncoding.Allowed) -> String {
        mapText(text) { PercentEncoding.encode($0, allowed: allowed) }
    }

    /// The text with its blanks and control characters outside of templates percent-encoded.
    static func encodingBlanks(_ text: Substring) -> String {
        mapText(text) { text in
            text.unicodeScalars.reduce(into: "") { result, scalar in
                let isBlank = scalar.value <= 0x20 || scalar.value == 0x7f
                result += isBlank ? PercentEncoding.encode(String(scalar), allowed: .unreserved) : String(scalar)
            }
        }
    }

    /// The text with its parts outside of templates replaced.
    private static func mapText(_ text: Substring, _ change: (String) -> String) -> String {
        var result = ""
        var plain = ""
        var index = text.startIndex
        while index < text.endIndex {
            if let end = template(in: text, at: index) {
                result += change(plain) + text[index..<end]
                plain = ""
                index = end
            } else {
                plain.append(text[index])
                index = text.index(after: index)
            }
        }
        return result + change(plain)
    }

    /// The end of the template that begins at an index; nil where none begins.
    private static func template(in text: Substring, at index: String.Index) -> String.Index? {
        guard text[index] == "{", text[index...].hasPrefix("{{"), !text[index...].hasPrefix("{{{") else { return nil }
        return text[index...].firstRange(of: "}}")?.upperBound
    }
}
