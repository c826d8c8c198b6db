/// Why a template has no value.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and the way out.
    public var message: String

    /// An error with its sentence.
    public init(_ message: String) {
        self.message = message
    }

    /// The error of ``Template/Segment/unclosed(_:)``.
    public init(unclosed text: String) {
        self.message = "“\(text.prefix(24))\(text.count > 24 ? "…" : "")” is not closed; write }} after the name, or {{$braces}} for {{ itself"
    }

    /// The text as a person reads it.
    public var description: String { message }
}
