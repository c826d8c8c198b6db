internal import SortieHTTP
internal import WorkspaceModel

/// What the values of a request need to use values of earlier responses.
struct EarlierContext: Sendable {
    /// The responses; nil where nothing may be sent, as in a dry run.
    let responses: EarlierResponses?
    /// Builds the requests of the endpoints that capture the values.
    let plan: RequestBuilder
    /// The endpoints whose requests wait for the value.
    private(set) var waiting: [String]

    /// - Parameter endpoint: The endpoint that is sent.
    init(_ responses: EarlierResponses?, _ plan: RequestBuilder, for endpoint: Endpoint) {
        (self.responses, self.plan) = (responses, plan)
        waiting = [endpoint.target]
    }

    /// A value, for which the endpoint that captures it is sent where its last response is too old.
    ///
    /// - Parameter cancellation: Ends the wait for it.
    func value(_ wanted: EarlierValue, _ values: LiveValues, cancelledBy cancellation: Cancellation) async -> Result<String, TemplateError> {
        guard let responses else {
            return .failure(
                TemplateError("\(wanted.capture) comes from a response of \(wanted.target), which is not sent for a preview; --var gives a value"))
        }
        guard !waiting.contains(wanted.target) else { return .failure(Self.circle(waiting + [wanted.target])) }
        var next = values
        next.earlier?.waiting.append(wanted.target)
        // Other requests can wait for the values of all but the endpoint that is sent.
        return await responses.value(wanted, for: waiting.dropFirst().last, plan, next, cancelledBy: cancellation)
    }

    /// The error of endpoints that wait for each other, of which the last is the first.
    static func circle(_ targets: [String]) -> TemplateError {
        TemplateError("the endpoints need values of each other: \(targets.joined(separator: ", which needs one of "))")
    }
}
