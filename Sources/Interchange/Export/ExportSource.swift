package import SortieHTTP
package import WorkspaceModel

/// What is exported, in order.
package struct ExportSource: Sendable {
    /// One request.
    package struct Item: Sendable {
        /// The target of the endpoint, or the name of the history row.
        package var name: String
        /// The endpoint with unresolved templates; its credentials are names of secrets.
        package var endpoint: Endpoint
        /// The resolved request without credentials of ``auth``; unknown values are placeholders, see ``ExportPlaceholder``.
        package var request: Request
        /// The credentials of the endpoint or its service with unresolved templates, which name the secrets.
        package var credentials: Auth
        /// The resolved credentials.
        package var auth: Auth
        /// The placeholders of ``request`` and ``auth``.
        package var placeholders: ExportPlaceholder
        /// The recorded exchange of an item of the history; nil for an endpoint.
        package var exchange: Exchange?
        /// The resolved expectation.
        package var expectation = Expectation()
        /// The values that later steps use; empty outside runs.
        package var captures: [Capture] = []
    }

    /// The run of the requests.
    package struct Run: Hashable, Sendable {
        /// The definition.
        package var definition: RunDefinition
        /// The rows of its data; nil without data.
        package var rows: [[String: String]]?
        /// The step up to which the steps of a chain run once for each user of a load test.
        package var start: String?

        /// Creates a run.
        package init(_ definition: RunDefinition, rows: [[String: String]]? = nil, start: String? = nil) {
            (self.definition, self.rows, self.start) = (definition, rows, start)
        }
    }

    /// The name of the workspace, the service or the run.
    package var name: String
    /// The workspace whose endpoints are exported; empty for exchanges of the history.
    package var workspace: Workspace
    /// The environment of the resolved requests.
    package var environment: String?
    /// The requests.
    package var items: [Item]
    /// The version of the program.
    package var version = ""
    /// Additional masking of recorded exchanges, which are stored masked.
    package var redaction = Redaction.standard
    /// The run that the requests are the steps of; nil for other requests.
    package var run: Run?
    /// Variables that a program can replace when it runs, with their values; they are captured values of the requests.
    package var variables: [String: String] = [:]
    /// The names of ``variables`` whose values are not written.
    package var hiddenVariables: Set<String> = []

    /// What a user has to know about the requests, in any format.
    package var notes: [String] = []

    /// Creates a source.
    package init(name: String, workspace: Workspace, environment: String?, items: [Item], run: Run? = nil) {
        (self.name, self.workspace, self.environment, self.items, self.run) = (name, workspace, environment, items, run)
    }
}
