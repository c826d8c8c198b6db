package import SortieBase
internal import WorkspaceModel

/// Exports requests as a description in OpenAPI 3.1; a description with methods that only OpenAPI 3.2 knows has that version.
package enum OpenAPIExport: ExportFormat {
    package static let name = "openapi"
    package static let title = "OpenAPI 3.1 as JSON"
    package static let fileExtension = "json"

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        var builder = OpenAPIExportBuilder(source)
        for item in source.items { builder.add(item) }
        let text = builder.document.text
        return (JSONText.pretty(text) ?? text) + "\n"
    }
}
