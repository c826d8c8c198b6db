/// A text to search for in a body as it is displayed; in the hexadecimal view, in the bytes.
package struct BodySearch: Hashable, Sendable {
    /// The text to search for.
    package var needle: String

    /// Whether `a` matches `A`; other letters are folded one to one, as far as Unicode pairs them.
    package var isCaseInsensitive: Bool

    /// Creates a search; by default, a text without uppercase letters ignores case ("smart case").
    package init(_ needle: String, caseInsensitive: Bool? = nil) {
        self.needle = needle
        isCaseInsensitive = caseInsensitive ?? !needle.unicodeScalars.contains { $0.properties.isUppercase }
    }
}
