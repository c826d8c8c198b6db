internal import SortieBase
package import WorkspaceModel

/// The content of a source in terms of workspaces, before it has file names.
package struct ImportedWorkspace: Sendable {
    /// The name for display, used for a new workspace.
    package var name: String
    /// The description, used for a new workspace.
    package var summary: String?
    /// The environments in the order of the source; empty where the source has none.
    package var environments: [WorkspaceEnvironment] = []
    /// The environment to start with.
    package var initialEnvironment: String?
    /// The variables of all environments.
    package var variables: [String: String] = [:]
    /// The sources of secrets by name.
    package var secrets: [String: SecretSource] = [:]
    /// The names of variables that the source marks as secret, whatever their names are.
    package var secretVariables: Set<String> = []
    /// Whether values are samples of a description, not those of a user.
    package var hasSamples = false
    /// The services in the order of the source.
    package var services: [ImportedService] = []
    /// The description of the API that becomes a file beside `workspace.yaml`, and the contract of all services; nil for none.
    package var description: ImportedDescription?
    /// The runs; the targets of their steps are the IDs of imported endpoints.
    package var runs: [RunDefinition] = []
    /// What was imported, changed and omitted.
    package var report = ImportReport()
    /// Whether the order of the items means something, so that file names must keep it.
    package var keepsOrder = false
    /// Whether every import of a source with the same name is the same source; false for standard input, whose items identify themselves.
    package var isComplete = true

    /// Creates an empty workspace.
    package init(name: String) {
        self.name = name
    }

    /// Whether there is nothing to write: no endpoint, run, environment or variable.
    package var isEmpty: Bool {
        runs.isEmpty && environments.isEmpty && variables.isEmpty && !services.contains { $0.items.containsEndpoint }
    }
}

/// The document of a description that an import keeps.
package struct ImportedDescription: Sendable {
    /// The name of the file without its ending.
    package var stem: String
    /// `.json` or `.yaml`.
    package var ending: String
    /// The document.
    package var bytes: [UInt8]
    /// The value of the document.
    var root: SourceNode
}

/// A service with its endpoints in folders.
package struct ImportedService: Sendable {
    /// The key of ``Service/servers`` that stands for every environment of the workspace.
    package static let everywhere = "*"

    /// The identity in the source.
    package var id: String
    /// The settings; the folder is determined by placing, and the endpoints are in ``items``.
    package var service: Service
    /// The endpoints and folders in the order of the source.
    package var items: [ImportedItem]

    /// Creates a service.
    package init(id: String, _ service: Service, items: [ImportedItem] = []) {
        (self.id, self.service, self.items) = (id, service, items)
    }
}

/// A folder or an endpoint.
package enum ImportedItem: Sendable {
    /// A folder with its name and its content.
    indirect case folder(name: String, [ImportedItem])
    /// An endpoint; it has a kilobyte, which copies of a list share.
    indirect case endpoint(ImportedEndpoint)
}

/// A script that is not translated completely.
package enum ImportedScript: Hashable, Sendable {
    /// One that runs after the response.
    case afterResponse(String)
    /// All that run before the request.
    case beforeRequest(ScriptPreparation)
}

/// An endpoint with what its file has beside it.
package struct ImportedEndpoint: Hashable, Sendable {
    /// The identity in the source, stable across versions of the source.
    package var id: String
    /// The endpoint; its target is determined by placing, and its name need not be unique.
    ///
    /// Relative paths of files begin at the folder of the source.
    package var endpoint: Endpoint
    /// Texts that become comments at the end of the file, such as scripts that are not run.
    package var notes: [String]
    /// The scripts that are not translated completely; placing makes hooks of them where that is requested.
    package var scripts: [ImportedScript] = []
    /// The bytes of a body that is not text; placing writes them to a file beside the endpoint, and ``endpoint`` gets that path.
    package var bodyBytes: [UInt8]?
    /// The number of the first rows of the query that are text of the URL, in a source that encodes the values of the others.
    package var rowsOfURL = 0
    /// The parameters of the path in the source as they are written, such as `:id`; another part that looks like one is text (``PlacedImport``).
    package var pathParameters: Set<String> = []
    /// The names by which people call the request in its source, beside that of the endpoint.
    package var names: [String] = []
    /// The name of the step with whose captured values other requests of the source have templates; nil for a request without a name.
    package var step: String?

    /// Creates an endpoint.
    package init(id: String, _ endpoint: Endpoint, notes: [String] = [], bodyBytes: [UInt8]? = nil, pathParameters: Set<String> = []) {
        (self.id, self.endpoint, self.notes, self.bodyBytes, self.pathParameters) = (id, endpoint, notes, bodyBytes, pathParameters)
    }
}

extension [ImportedItem] {
    /// Whether there is an endpoint, in a folder or not.
    fileprivate var containsEndpoint: Bool {
        contains { item in
            switch item {
            case .endpoint: true
            case .folder(_, let items): items.containsEndpoint
            }
        }
    }

    /// The number of endpoints, also in folders.
    var endpointCount: Int {
        reduce(0) { count, item in
            switch item {
            case .endpoint: count + 1
            case .folder(_, let items): count + items.endpointCount
            }
        }
    }

    /// All endpoints in order, also those in folders.
    package var endpoints: [ImportedEndpoint] {
        flatMap { item in
            switch item {
            case .endpoint(let endpoint): [endpoint]
            case .folder(_, let items): items.endpoints
            }
        }
    }

    /// Changes every endpoint, in order.
    package mutating func mapEndpoints(_ change: (inout ImportedEndpoint) -> Void) {
        for index in indices {
            switch self[index] {
            case .endpoint(let endpoint):
                var changed = endpoint
                change(&changed)
                // What stays the same stays shared with other copies of the list.
                if changed != endpoint { self[index] = .endpoint(changed) }
            case .folder(let name, var items):
                items.mapEndpoints(change)
                self[index] = .folder(name: name, items)
            }
        }
    }
}
