/// The reason why a template has no value.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the mistake and its remedy.
    package var message: String

    /// Creates an error with a message.
    package init(_ message: String) {
        self.message = message
    }

    /// Creates the error of ``Template/Segment/unclosed(_:)``.
    package init(unclosed text: String) {
        self.message = "“\(text.prefix(24))\(text.count > 24 ? "…" : "")” is not closed; write }} after the name, or {{$braces}} for {{ itself"
    }

    /// The message.
    package var description: String { message }
}
