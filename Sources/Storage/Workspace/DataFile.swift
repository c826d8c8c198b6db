internal import SortieBase
internal import WorkspaceModel

/// Reads a file with rows of data for a run.
package enum DataFile {
    /// The maximum number of bytes that are read.
    static let limit = WorkspaceLimits.dataFileBytes

    /// Reads the rows of the CSV, JSON or NDJSON file at `path`; `name` is its name in messages.
    ///
    /// - Throws: A ``WorkspaceError`` when the file cannot be read, a ``Diagnostic`` with the position when its content is invalid.
    package static func rows(at path: String, name: String) throws -> [[String: String]] {
        try rows(in: try WorkspaceFile.bytes(at: path, limit: limit), name: name)
    }

    /// Reads the rows of a CSV, JSON or NDJSON text, such as standard input.
    ///
    /// - Throws: A ``Diagnostic`` with the position when the content is invalid or too long.
    package static func rows(in bytes: [UInt8], name: String) throws -> [[String: String]] {
        guard bytes.count <= limit else {
            throw Diagnostic(SourceLocation(file: name), "the data is larger than \(limit) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Diagnostic(SourceLocation(file: name), "this is not UTF-8 text")
        }
        return try DataRows.parse(text, file: name)
    }
}
