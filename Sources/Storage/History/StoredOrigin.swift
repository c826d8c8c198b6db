internal import HistoryModel
internal import WorkspaceModel

/// What a request was made of, as stored in the history.
struct StoredOrigin: Codable {
    var endpoint: StoredEndpoint
    var variables: [String: String]
    var builtins: [String: [String]]
    var run: String?
    /// The name of the step in its run.
    var step: String?
    /// The masked parts of the endpoint (``StoredMasks``); absent where there are none.
    var masked: [String]?

    init(_ origin: RequestOrigin, masked: Set<MaskedPart>) {
        self.masked = StoredMasks.names(of: masked)
        endpoint = StoredEndpoint(origin.endpoint)
        variables = origin.variables
        builtins = origin.builtins
        run = origin.run
        step = origin.step
    }

    /// The restored origin; nil where a part of the endpoint cannot be read, because a replay would then send another request.
    var origin: RequestOrigin? {
        var problems: [String] = []
        guard let endpoint = endpoint.endpoint(&problems), problems.isEmpty else { return nil }
        return RequestOrigin(endpoint: endpoint, variables: variables, builtins: builtins, run: run, step: step)
    }
}
