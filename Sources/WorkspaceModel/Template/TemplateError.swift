/// The reason why a template has no value.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the mistake and its remedy.
    public var message: String

    /// Creates an error with a message.
    public init(_ message: String) {
        self.message = message
    }

    /// Creates the error of ``Template/Segment/unclosed(_:)``.
    public init(unclosed text: String) {
        self.message = "“\(text.prefix(24))\(text.count > 24 ? "…" : "")” is not closed; write }} after the name, or {{$braces}} for {{ itself"
    }

    /// The message.
    public var description: String { message }
}
