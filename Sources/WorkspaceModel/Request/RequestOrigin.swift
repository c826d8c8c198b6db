/// The origin of a request, with which the request can be built again: the endpoint as it was sent, and the values of its templates.
package struct RequestOrigin: Hashable, Sendable {
    /// The endpoint with its templates, including unsaved edits.
    package var endpoint: Endpoint
    /// The values of variables by name, without those of secrets.
    package var variables: [String: String]
    /// The values of built-ins by their text (`uuid`, `date yyyy`), in the order of evaluation.
    package var builtins: [String: [String]]
    /// The sources of the values, for previews; not stored.
    package var sources: [ValueSource] = []
    /// The run that a step belongs to.
    package var run: String?
    /// The name of the step in its run.
    package var step: String?
    /// Whether its run sends it now, and reports the end of the step; not stored, so that it is false for a replay of the request.
    package var isSentByRun = false

    /// Creates an origin.
    package init(endpoint: Endpoint, variables: [String: String] = [:], builtins: [String: [String]] = [:], run: String? = nil, step: String? = nil) {
        self.endpoint = endpoint
        self.variables = variables
        self.builtins = builtins
        self.run = run
        self.step = step
    }
}
