package import SortieBase

/// The reason why a template has no value.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the mistake and its remedy.
    package var message: String
    /// The name that nothing defines, with the most similar known one; nil for another mistake.
    package private(set) var undefined: Undefined?
    /// Why the value could not be fetched; nil for a mistake in a file.
    package private(set) var failure: ValueFailure?

    /// A name that nothing defines.
    package struct Undefined: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The most similar known name; nil where none is similar.
        package let nearest: String?
    }

    /// Creates an error with a message.
    package init(_ message: String, failure: ValueFailure? = nil) {
        self.message = message
        self.failure = failure
    }

    /// Creates the error of ``Template/Segment/unclosed(_:)``.
    package init(unclosed text: String) {
        self.message = "“\(text.prefix(24))\(text.count > 24 ? "…" : "")” is not closed; write }} after the name, or {{$braces}} for {{ itself"
    }

    /// Creates the error of a name that nothing defines.
    init(undefined name: String, nearest: String?) {
        let hint = nearest.map { "; did you mean {{\($0)}}?" } ?? "; define it in the environment, or under variables: of a file"
        message = "nothing defines {{\(name)}}\(hint)"
        undefined = Undefined(name: name, nearest: nearest)
    }

    /// The message.
    package var description: String { message }
}
