package import SortieBase

/// The JSON Schema of an expectation, as the file of the endpoint names it.
package enum SchemaSource: Hashable, Sendable {
    /// A file, relative to the folder of the file that names it.
    case file(String)
    /// The JSON text of a schema in the file itself.
    case inline(String)
    /// A schema that was read, and its name in reports.
    case loaded(JSONSchema, name: String)

    /// The name in reports and in messages about errors.
    package var name: String {
        switch self {
        case .file(let path): path
        case .inline: "the schema in the file"
        case .loaded(_, let name): name
        }
    }

    /// The schema, read from its file or its text.
    ///
    /// - Parameter file: the file that names the schema, relative to the workspace.
    /// - Throws: A ``TemplateError`` with the file, the place and the mistake.
    func loaded(in scope: TemplateScope, file: String) throws(TemplateError) -> SchemaSource {
        let text: String
        switch self {
        case .file(let path): text = try scope.fileText(FilePath.joining(FilePath.folder(of: file), path))
        case .inline(let inline): text = inline
        case .loaded: return self
        }
        do throws(JSONSchemaError) { return .loaded(try JSONSchema(parsing: text), name: name) } catch {
            throw TemplateError("\(name) is not a JSON Schema: \(error)")
        }
    }
}
