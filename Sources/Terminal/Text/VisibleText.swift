/// Sanitizes text for a stream that a terminal may show, without a ``Canvas``.
package enum VisibleText {
    /// The text with all characters escaped that a terminal would interpret or hide, as on a canvas.
    ///
    /// Line breaks and tabs are kept. Printable ASCII, which most of a long text consists of, is copied without being divided into characters.
    package static func of(_ text: some StringProtocol) -> String {
        var text = String(text)
        return text.withUTF8 { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, isPlain(bytes[end]) { end += 1 }
                // A mark after the last one combines with it.
                if end < bytes.count, end > start, bytes[end] >= 0x80 { end -= 1 }
                output.append(contentsOf: bytes[start..<end])
                guard end < bytes.count else { break }
                // Between two characters of ASCII there is always a boundary, except within a line break.
                start = end + 1
                while start < bytes.count, !isPlain(bytes[start]) || bytes[start - 1] >= 0x80 || (bytes[start - 1], bytes[start]) == (0x0D, 0x0A) {
                    start += 1
                }
                for character in String(decoding: bytes[end..<start], as: UTF8.self) { append(character, to: &output) }
            }
            return String(decoding: output, as: UTF8.self)
        }
    }

    private static func append(_ character: Character, to output: inout [UInt8]) {
        if character.isPrintableASCII || character == "\n" || character == "\t" {
            output += character.utf8
        } else if character == "\r\n" {
            output += "␍\n".utf8
        } else {
            for piece in DrawnGrapheme(character, scalarsOfCell: scalarsOfLetter).pieces { output += piece.glyph.utf8 }
        }
    }

    /// The number of scalars of a letter with its marks; further marks are shown on a circle, because they extend over several rows.
    private static let scalarsOfLetter = 8

    /// Whether a byte is printable ASCII, a line feed or a tab.
    private static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) || byte == 0x0A || byte == 0x09 }
}
