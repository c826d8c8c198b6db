/// The error for a text that is not a JSON path.
public struct JSONPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parsed text.
    public var path: String
    /// The description of the problem and its remedy.
    public var message: String
    /// The position of the character in the text, from 1.
    public var position: Int

    /// Creates an error.
    package init(path: String, message: String, position: Int) {
        self.path = path
        self.message = message
        self.position = position
    }

    /// The complete message, with the path and the position.
    public var description: String { "the JSON path “\(path)” is invalid at character \(position): \(message)" }
}
