/// Why a document is not a JSON Schema that can be used.
package struct JSONSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The JSON pointer of the place in the document, as a fragment (`#/properties/id`); nil for a text that is not JSON.
    package let pointer: String?
    /// The mistake and its remedy.
    package let message: String

    /// Creates an error at a place of the document.
    init(_ message: String, at pointer: String?) {
        self.message = message
        self.pointer = pointer.map { "#" + $0 }
    }

    /// The place and the mistake.
    package var description: String { (pointer.map { "\($0): " } ?? "") + message }
}
