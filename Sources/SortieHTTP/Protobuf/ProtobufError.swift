/// Why a message, or a schema, of Protocol Buffers cannot be read or written.
package struct ProtobufError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the JSON of the message, such as `$.items[2].price`; empty for a schema and for the whole message.
    package private(set) var path: String
    /// What is wrong, without the place.
    package let message: String

    package init(_ message: String, at path: String = "") {
        self.message = message
        self.path = path
    }

    /// The error with its place.
    package var description: String { path.isEmpty || path == "$" ? message : "\(path): \(message)" }

    /// The error of a value inside another one.
    func inside(_ outer: String) -> ProtobufError { ProtobufError(message, at: outer + path) }
}
