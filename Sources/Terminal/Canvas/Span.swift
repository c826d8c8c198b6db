/// A text in one style.
package struct Span: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text; ``Canvas`` sanitizes it when it is written.
    package var text: String
    /// The style.
    package var style: Style

    /// Creates a span.
    package init(_ text: some StringProtocol, _ style: Style = .plain) {
        self.text = String(text)
        self.style = style
    }

    /// Creates a span in the plain style.
    package init(stringLiteral text: String) {
        self.init(text)
    }
}
