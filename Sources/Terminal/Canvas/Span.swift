/// A piece of text in one style.
public struct Span: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text; ``Canvas`` makes it harmless when it is written.
    public var text: String
    /// How it looks.
    public var style: Style

    /// A piece of text in one style.
    public init(_ text: some StringProtocol, _ style: Style = .plain) {
        self.text = String(text)
        self.style = style
    }

    /// A piece of plain text.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
