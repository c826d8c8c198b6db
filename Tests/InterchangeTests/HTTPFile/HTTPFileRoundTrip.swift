import SortieBase
import WorkspaceModel

@testable import Interchange

/// Imports a `.http` file and exports the result.
enum HTTPFileRoundTrip {
    static func exported(_ source: ImportSource) throws -> String {
        let imported = try HTTPFileImport.workspace(from: source)
        let placed = PlacedImport(imported, into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: [])
        return try text(placed.workspace)
    }

    static func text(_ workspace: Workspace) throws -> String {
        let environment = workspace.environments.first?.name
        let resolver = ExportResolver(workspace: workspace, environment: environment) { name, _ in name == "random" ? "7" : name }
        return try HTTPFileExport.text(
            of: ExportSource(
                name: workspace.name, workspace: workspace, environment: environment,
                items: try workspace.endpoints.map { try resolver.item(for: $0) }))
    }
}
