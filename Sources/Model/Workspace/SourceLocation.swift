/// A place in a file.
public struct SourceLocation: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The file, relative to the workspace where it lies in it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int

    /// A place.
    public init(file: String, line: Int = 1, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The text as a person reads it.
    public var description: String { "\(file):\(line):\(column)" }
}
