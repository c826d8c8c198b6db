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
    func value(_ wanted: EarlierValue, _ values: LiveValues) async -> Result<String, TemplateError> {
        guard let responses else {
            return .failure(
                TemplateError("\(wanted.capture) comes from a response of \(wanted.target), which is not sent for a preview; --var gives a value"))
        }
        guard !waiting.contains(wanted.target) else {
            let circle = (waiting + [wanted.target]).joined(separator: ", which needs one of ")
            return .failure(TemplateError("the endpoints need values of each other: \(circle)"))
        }
        var next = values
        next.earlier?.waiting.append(wanted.target)
        return await responses.value(wanted, plan, next)
    }
}
