/// A text to search for in a body as it is displayed; in the hexadecimal view, in the bytes.
public struct BodySearch: Hashable, Sendable {
    /// The text to search for.
    public var needle: String

    /// Whether `a` matches `A`; other letters are folded one to one, as far as Unicode pairs them.
    public var isCaseInsensitive: Bool

    /// Creates a search; by default, a text without uppercase letters ignores case ("smart case").
    public init(_ needle: String, caseInsensitive: Bool? = nil) {
        self.needle = needle
        isCaseInsensitive = caseInsensitive ?? !needle.unicodeScalars.contains { $0.properties.isUppercase }
    }
}
