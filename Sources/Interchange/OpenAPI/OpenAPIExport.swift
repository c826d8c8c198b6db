package import SortieBase
internal import WorkspaceModel

/// Exports requests as a description in OpenAPI 3.1; a description with methods that only OpenAPI 3.2 knows has that version.
package enum OpenAPIExport: ExportFormat {
    package static let name = "openapi"
    package static let title = "OpenAPI 3.1 as JSON, or as YAML with -o FILE.yaml"
    package static let fileExtension = "json"

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        let text = document(of: source).text
        return (JSONText.pretty(text) ?? text) + "\n"
    }

    package static func text(of source: ExportSource, forFile name: String) throws(Diagnostic) -> String {
        let name = name.lowercased()
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return try text(of: source) }
        return try OpenAPIYAML.text(of: document(of: source))
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        source.items.flatMap { item in
            var notes = ExportNotes.common(of: item, in: source.workspace, hasPublicParameters: true)
            notes += ExportNotes.parameters(of: item, in: source.workspace) + OpenAPIExportOperation(item, source).notes
            return notes.map { "\(item.name): \($0)" }
        }
    }

    private static func document(of source: ExportSource) -> JSONValue {
        var builder = OpenAPIExportBuilder(source)
        for item in source.items { builder.add(item) }
        return builder.document
    }
}
