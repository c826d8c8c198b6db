internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Saving the displayed exchange, also one of the history, as an example of its endpoint.
enum SavedExample {
    /// Why there is nothing to save.
    static func problem(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return "No endpoint is open" }
        guard let exchange = state.openCall?.exchange else { return "There is no response" }
        return EndpointExample.problem(of: exchange, isComplete: isComplete(state), for: endpoint).map { sentence($0, state) }
    }

    private static func isComplete(_ state: AppState) -> Bool { state.openCall.flatMap(state.lastResponse)?.past.missingBody == nil }

    private static func sentence(_ problem: EndpointExample.ExchangeProblem, _ state: AppState) -> String {
        switch problem {
        case .noResponse: "There is no response"
        case .otherRequest: "The response is that of another request; \(state.key(.send)) sends this one"
        case .incompleteBody: "The body is incomplete"
        case .largeBody(let limit): "The body is larger than \(ByteCount(limit).text); save it to a file, and name that in examples:"
        case .binaryBody: "The body is not text; save it to a file, and name that in examples:"
        }
    }

    static func ask(_ state: inout AppState) -> [Effect] {
        guard let endpoint = state.openEndpoint, let exchange = state.openCall?.exchange, let response = exchange.response else { return [] }
        let example: EndpointExample
        do throws(EndpointExample.ExchangeProblem) {
            example = try EndpointExample(of: exchange, isComplete: isComplete(state), for: endpoint, masked: state.secrets)
        } catch {
            state.notify(sentence(error, state), source: endpoint.id)
            return []
        }
        let taken = Set(endpoint.examples.map(\.name))
        let name = EndpointExample.freeName(status: response.status, in: endpoint)
        state.stopEditing()
        state.popups.show(
            Form("Save as example", [.init("Name", proposing: name)], guide: "contracts#examples") { form, state throws(FormProblem) in
                var example = example
                example.name = form.text("Name")
                if example.name.isEmpty { throw FormProblem("Write a name", at: "Name") }
                if taken.contains(example.name) { throw FormProblem("The endpoint has an example of this name; write another name", at: "Name") }
                state.popups.pop()
                let text = "Added the example \(example.name)"
                return ResponseValuesFeature.change([endpoint.id: { $0.examples.append(example) }], saying: text, source: endpoint.id, &state).effects
            })
        return []
    }
}
