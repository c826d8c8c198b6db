import WorkspaceModel

@testable import Interchange

extension ImportedWorkspace {
    /// The endpoints of all services in order.
    var endpoints: [Endpoint] { services.flatMap { Self.endpoints(of: $0.items) }.map(\.endpoint) }

    /// The texts beside the endpoints in order.
    var notes: [String] { services.flatMap { Self.endpoints(of: $0.items) }.flatMap(\.notes) }

    /// The folders of the items as `outer/inner`.
    var folders: [String] { services.flatMap { Self.folders(of: $0.items, prefix: "") } }

    /// The reasons of the report with an outcome.
    func reasons(_ outcome: ImportReport.Outcome) -> [String] { report.entries.filter { $0.outcome == outcome }.map(\.reason.programText) }

    private static func endpoints(of items: [ImportedItem]) -> [ImportedEndpoint] {
        items.flatMap { item in
            switch item {
            case .endpoint(let endpoint): [endpoint]
            case .folder(_, let items): endpoints(of: items)
            }
        }
    }

    private static func folders(of items: [ImportedItem], prefix: String) -> [String] {
        items.flatMap { item -> [String] in
            guard case .folder(let name, let items) = item else { return [] }
            return [prefix + name] + folders(of: items, prefix: prefix + name + "/")
        }
    }
}
