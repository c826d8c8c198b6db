/// A text to look for in a body as it is displayed; in hexadecimal rows, in the bytes.
public struct BodySearch: Hashable, Sendable {
    /// The text to look for.
    public var needle: String

    /// Whether `a` and `A` are the same; other letters are folded one to one, as far as Unicode pairs them.
    public var isCaseInsensitive: Bool

    /// Looks for a text; without a word about case, a needle without capitals ignores it ("smart case").
    public init(_ needle: String, caseInsensitive: Bool? = nil) {
        self.needle = needle
        isCaseInsensitive = caseInsensitive ?? !needle.unicodeScalars.contains { $0.properties.isUppercase }
    }
}
