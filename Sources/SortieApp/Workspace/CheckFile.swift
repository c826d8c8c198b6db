internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// Reads a text file that a check of a response needs, such as a JSON Schema.
enum CheckFile {
    /// The text of the file at an absolute path; it may block.
    static func text(at path: String) throws(TemplateError) -> String {
        let bytes: [UInt8]
        do { bytes = try WorkspaceFile.bytes(at: path, limit: JSONSchema.documentLimit) } catch { throw TemplateError("\(error)") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw TemplateError("\(path) is not UTF-8 text") }
        return FileText.withoutMark(text)
    }
}
