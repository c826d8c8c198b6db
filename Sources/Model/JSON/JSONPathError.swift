/// Why a text is not a JSON path, and where.
public struct JSONPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that was read.
    public var path: String
    /// What is wrong and the way out.
    public var message: String
    /// The character in the text, from 1.
    public var position: Int

    /// An error at a place.
    public init(path: String, message: String, position: Int) {
        self.path = path
        self.message = message
        self.position = position
    }

    /// The whole sentence, with the path and the place.
    public var description: String { "the JSON path “\(path)” is wrong at character \(position): \(message)" }
}
