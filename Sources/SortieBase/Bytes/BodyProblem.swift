/// The error for a body that is not in its declared format.
public struct BodyProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the error, without the position: "not JSON: unexpected '}'".
    public var message: String

    /// The line, from 1.
    public var line: Int

    /// The character in the line, from 1; counted in bytes when the line is longer than 1 MiB.
    public var column: Int

    /// The offset of the byte, from 0.
    public var byte: Int

    /// Creates an error.
    package init(message: String, line: Int, column: Int, byte: Int) {
        self.message = message
        self.line = line
        self.column = column
        self.byte = byte
    }

    /// The complete message: "not JSON: unexpected '}' at line 3, column 7 (byte 41)".
    public var description: String { "\(message) at line \(line), column \(column) (byte \(byte))" }
}
