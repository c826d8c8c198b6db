internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Saving the displayed exchange, also one of the history, as an example of its endpoint.
enum SavedExample {
    /// The largest body in bytes; a longer one makes the file of the endpoint hard to read.
    private static let limit = 64 << 10

    /// Why there is nothing to save.
    static func problem(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return "No endpoint is open" }
        guard let exchange = state.openCall?.exchange, let response = exchange.response else { return "There is no response" }
        guard !RequestChange(since: exchange.request, to: endpoint).isOtherRequest else {
            return "The response is that of another request; \(state.key(.send)) sends this one"
        }
        guard response.truncation == nil, state.openCall.flatMap(state.lastResponse)?.past.missingBody == nil else { return "The body is incomplete" }
        guard response.body.count <= limit else {
            return "The body is larger than \(ByteCount(limit).text); save it to a file, and name that in examples:"
        }
        return response.text == nil && !response.body.isEmpty ? "The body is not text; save it to a file, and name that in examples:" : nil
    }

    static func ask(_ state: inout AppState) -> [Effect] {
        guard let endpoint = state.openEndpoint, let exchange = state.openCall?.exchange, let response = exchange.response else { return [] }
        let example = example(of: exchange, response, endpoint, state.secrets)
        let taken = Set(endpoint.examples.map(\.name))
        let name = (["\(response.status)"] + (2...taken.count + 2).map { "\(response.status)-\($0)" }).first { !taken.contains($0) } ?? ""
        state.stopEditing()
        state.popups.show(
            Form("Save as example", [.init("Name", name)], guide: "contracts#examples") { form, state throws(FormProblem) in
                var example = example
                example.name = form.text("Name")
                if example.name.isEmpty { throw FormProblem("Write a name", at: "Name") }
                if taken.contains(example.name) { throw FormProblem("The endpoint has an example of this name; write another name", at: "Name") }
                state.popups.pop()
                var effects: [Effect] = []
                let unsaved = ResponseValuesFeature.change([endpoint.id: { $0.examples.append(example) }], &state, &effects)
                let saved = unsaved.isEmpty ? "" : "; the endpoint has other changes, \(state.key(.save)) saves it"
                state.notify("Saved as the example \(example.name)\(saved)", source: endpoint.id)
                return effects
            })
        return []
    }

    /// The example of an exchange without credentials, which files of workspaces do not have.
    private static func example(of exchange: Exchange, _ response: Response, _ endpoint: Endpoint, _ redaction: Redaction) -> EndpointExample {
        var example = EndpointExample("", response: .init(statuses: response.status...response.status))
        example.response.headers = EndpointExample.Response.fields(of: redaction.masked(response.headers))
        if let text = response.text, !text.isEmpty {
            let type = response.headers.values(of: "Content-Type").last
            let masked = redaction.maskedBody(text, contentType: type)
            let isJSON = type.flatMap { MediaType($0) }?.essence == "application/json" && JSONText.problem(in: masked) == nil
            // The text is kept as UTF-8, whatever coding the response had.
            let textType = type.map { $0.lowercased().contains("charset") ? "\(MediaType($0)?.essence ?? "text/plain"); charset=utf-8" : $0 }
            example.response.body = isJSON ? .json(masked) : .text(masked, contentType: textType)
            example.response.headers.removeAll { $0.name.lowercased() == "content-type" }
        }
        let values = endpoint.pathValues(in: exchange.request.url).sorted { $0.key < $1.key }
        // A masked value would match no request.
        example.request.path = values.map { Parameter($0.key, redaction.masked($0.value)) }.filter { !$0.value.contains(HeaderField.mask) }
        return example
    }
}
