/// Sanitizes text for a stream that a terminal may show, without a ``Canvas``.
package enum VisibleText {
    /// The text with all characters escaped that a terminal would interpret or hide, as on a canvas.
    ///
    /// Line breaks and tabs are kept.
    package static func of(_ text: some StringProtocol) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for character in text {
            if character.isPrintableASCII || character == "\n" || character == "\t" {
                result.append(character)
            } else if character == "\r\n" {
                result += "␍\n"
            } else {
                for piece in DrawnGrapheme(character).pieces { result += piece.glyph }
            }
        }
        return result
    }
}
