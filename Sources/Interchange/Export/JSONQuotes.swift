/// The places of strings in parts of JSON between which an exported text has values of variables.
enum JSONQuotes {
    /// Whether a position is inside a JSON string after a text.
    static func isInString(after text: String, from start: Bool) -> Bool {
        var isInString = start
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
        return isInString
    }
}
