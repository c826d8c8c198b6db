/// A text in one style.
public struct Span: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text; ``Canvas`` sanitizes it when it is written.
    public var text: String
    /// The style.
    public var style: Style

    /// Creates a span.
    public init(_ text: some StringProtocol, _ style: Style = .plain) {
        self.text = String(text)
        self.style = style
    }

    /// Creates a span in the plain style.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
