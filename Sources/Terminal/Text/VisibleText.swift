/// Text for a stream that a terminal may read, where no ``Canvas`` stands in between.
public enum VisibleText {
    /// `text` with everything that a terminal would obey or hide made visible, as a canvas shows it; line breaks and tabs stay.
    public static func of(_ text: some StringProtocol) -> String {
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
