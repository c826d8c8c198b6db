package import SortieBase

/// A text or a regular expression to search for in a body as it is displayed; in the hexadecimal view, a text in the bytes.
package struct BodySearch: Hashable, Sendable {
    /// The text to search for, or the text of the regular expression.
    package var needle: String

    /// Whether `a` matches `A`; other letters are folded one to one, as far as Unicode pairs them.
    package var isCaseInsensitive: Bool

    /// Whether the text is a regular expression, which is compared with each line as it is displayed.
    package var isPattern: Bool

    /// Creates a search; by default, a text without uppercase letters ignores case ("smart case").
    package init(_ needle: String, caseInsensitive: Bool? = nil, isPattern: Bool = false) {
        self.needle = needle
        self.isPattern = isPattern
        isCaseInsensitive = caseInsensitive ?? !Self.hasUppercase(needle, isPattern: isPattern)
    }

    /// The regular expression; nil for a text.
    ///
    /// - Throws: a ``PatternError`` for a text that is no regular expression.
    package func pattern() throws(PatternError) -> TextPattern? {
        isPattern ? try TextPattern(needle, ignoringCase: isCaseInsensitive) : nil
    }

    /// Whether a text has an uppercase letter; the names of classes such as `\S` are none.
    private static func hasUppercase(_ needle: String, isPattern: Bool) -> Bool {
        var isEscaped = false
        for scalar in needle.unicodeScalars {
            if isPattern, !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, scalar.properties.isUppercase { return true }
            isEscaped = false
        }
        return false
    }
}
