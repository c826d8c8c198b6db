/// Why a template has no value.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and the way out.
    public var message: String

    /// An error with its sentence.
    public init(_ message: String) {
        self.message = message
    }

    /// The text as a person reads it.
    public var description: String { message }
}
