internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A saved response of Postman as an example, and an example as a saved response.
struct PostmanExample {
    let value: EndpointExample

    /// Reads a saved response.
    ///
    /// - Parameter endpoint: The endpoint of the request, from which the request of the response may differ.
    init(_ node: SourceNode, of endpoint: Endpoint) {
        var example = EndpointExample(node["name"]?.text ?? "")
        if example.name.isEmpty { example.name = node["code"]?.text ?? "response" }
        example.response.statuses = (node["code"]?.text ?? node["status"]?.text).flatMap(StatusRange.parse)
        let rows = (node["header"]?.items ?? []).map { HeaderField($0["key"]?.text ?? "", $0["value"]?.text ?? "") }
        example.response.headers = EndpointExample.Response.fields(of: Headers(rows.filter { $0.problem == nil }))
        if let text = node["body"]?.text, !text.isEmpty {
            example.response.body = ImportedBody.text(text, contentType: example.response.contentType ?? "text/plain")
            // The body has its type.
            example.response.headers.removeAll { $0.name.lowercased() == "content-type" }
        }
        if let request = node["originalRequest"], !request.isNull {
            let sent = PostmanRequest(request, name: example.name, inherited: nil).endpoint
            // What both have does not distinguish the example; header fields are those of the program that sent it.
            example.request.query = sent.query.filter { $0.isEnabled && !endpoint.query.contains($0) }
            if sent.body != endpoint.body { example.request.body = sent.body }
            let names = Set(endpoint.pathParameters.map(\.name))
            example.request.path = sent.variables.filter { names.contains($0.key) && endpoint.variables[$0.key] != $0.value }
                .sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }
        }
        value = example
    }

    /// The saved response of an example.
    static func saved(_ example: EndpointExample, of item: ExportSource.Item, _ source: ExportSource, _ names: inout PostmanVariables) -> JSONValue {
        var other = item
        other.endpoint = example.endpoint(of: item.endpoint)
        let status = example.response.statuses?.lowerBound ?? 200
        let isTyped = example.response.headers.contains { $0.name.lowercased() == "content-type" }
        let type = isTyped ? nil : example.response.contentType.map { Parameter("Content-Type", $0) }
        let headers = (example.response.headers.filter(\.isEnabled) + [type].compactMap(\.self)).map { row -> JSONValue in
            ["key": .string(row.name), "value": .string(row.value)]
        }
        return [
            "name": .string(example.name), "originalRequest": PostmanItem(other, of: source, &names).value, "code": .integer(status),
            "header": .array(headers), "body": .string(example.response.body.literal ?? ""),
        ]
    }
}
