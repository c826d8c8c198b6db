/// A position in a file.
package struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file, relative to the workspace where it is inside.
    package var file: String
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int

    /// Creates a position.
    package init(file: String, line: Int = 1, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// Stands for the position of a problem that no file contains, such as a refused permission or a cancellation.
    package static let nowhere = SourceLocation(file: "")

    /// `FILE:LINE:COLUMN`.
    package var description: String { "\(file):\(line):\(column)" }
}
