internal import SortieBase
internal import WorkspaceModel

/// Reads the examples of an operation: those of its responses, with the values of parameters and body that have the same name.
struct OpenAPIResponses {
    private let reader: OpenAPIReader
    private let isSwagger: Bool
    private let produces: [String]
    private let parameters: [OpenAPIValue]
    /// The preferred media type of the request's body.
    private let media: (type: String, value: OpenAPIValue)?

    /// - Parameters:
    ///   - produces: The media types of the responses of Swagger 2.0.
    ///   - body: `requestBody`.
    init(reader: OpenAPIReader, isSwagger: Bool, produces: [String], parameters: [OpenAPIValue], body: OpenAPIValue?) {
        (self.reader, self.isSwagger, self.produces, self.parameters) = (reader, isSwagger, produces, parameters)
        media = OpenAPIMedia.ranked(body.flatMap(reader.resolved)?["content"]).first.flatMap { member in
            reader.resolved(member.value).map { (type: member.name, value: $0) }
        }
    }

    /// Whether responses without an example are read, too, with values that their schemas describe.
    private var hasSamples: Bool { reader.source.readsResponses }

    /// The examples in the order of statuses in the description, and of media types by preference; those of successful responses first.
    ///
    /// An example without a name has that of its status.
    func examples(of operation: OpenAPIValue) -> [EndpointExample] {
        let responses = (operation["responses"]?.members ?? []).compactMap { member in
            Self.statuses(member.name).flatMap { statuses in reader.resolved(member.value).map { (member.name, statuses.range, $0) } }
        }
        var examples = responses.flatMap { key, statuses, response -> [EndpointExample] in
            let contents = isSwagger ? swaggerContents(of: response) : contents(of: response)
            guard hasSamples || !contents.isEmpty else { return [] }
            let headers = headers(of: response)
            guard !contents.isEmpty else { return [EndpointExample(key, response: .init(statuses: statuses, headers: headers))] }
            return contents.map { content in
                // A range of types is not a type.
                let type = content.type.contains("*") ? "application/json" : content.type
                let body = ImportedBody.text(content.body, contentType: type)
                return EndpointExample(content.example ?? key, response: .init(statuses: statuses, headers: headers, body: body))
            }
        }
        // A request that has no response of its name gets that of the first success.
        let success = responses.first { Self.isSuccess($0.1) }
        let response = examples.first { Self.isSuccess($0.response.statuses) }?.response ?? .init(statuses: success?.1)
        for name in requestNames where !examples.contains(where: { $0.name == name }) { examples.append(EndpointExample(name, response: response)) }
        for index in examples.indices { examples[index].request = request(named: examples[index].name) }
        // A mock does not refuse a request that is no example.
        let successes = examples.filter { Self.isSuccess($0.response.statuses) }
        if hasSamples, let first = successes.first, !successes.contains(where: { $0.request == EndpointExample.Request() }) {
            let names = Set(examples.map(\.name))
            let name = sequence(first: "other", next: { $0 + "-2" }).first { !names.contains($0) }
            let position = examples.lastIndex { Self.isSuccess($0.response.statuses) } ?? 0
            examples.insert(EndpointExample(name ?? "other", response: first.response), at: position + 1)
        }
        return examples.inOrderOfChoice
    }

    private static func isSuccess(_ statuses: ClosedRange<Int>?) -> Bool { statuses.map { (200...299).contains($0.lowerBound) } ?? false }

    // MARK: Requests

    /// The names of the examples of parameters and body.
    private var requestNames: [String] {
        var names: [String] = []
        for member in (parameters + [media?.value].compactMap(\.self)).flatMap({ $0["examples"]?.members ?? [] }) where !names.contains(member.name) {
            names.append(member.name)
        }
        return names
    }

    private func request(named name: String) -> EndpointExample.Request {
        func value(in holder: OpenAPIValue) -> JSONValue? {
            let example = holder["examples"]?.members.first { $0.name == name }.flatMap { reader.resolved($0.value) }
            return (example?.node["dataValue"] ?? example?.node["value"])?.json
        }
        var request = EndpointExample.Request()
        for parameter in parameters {
            guard let name = parameter["name"]?.text, let value = value(in: parameter) else { continue }
            switch (parameter["in"]?.text, value) {
            // A list or an object has several notations.
            case (_, .array), (_, .object): break
            case ("path", _): request.path.append(Parameter(OpenAPIParameters.pathName(name), OpenAPIStyle.text(value)))
            case ("query", _): request.query.append(Parameter(name, OpenAPIStyle.text(value)))
            case ("header", _): request.headers.append(Parameter(name, OpenAPIStyle.text(value)))
            default: break
            }
        }
        if let media, OpenAPIMedia.isText(media.type), !OpenAPIMedia.isForm(media.type), let value = value(in: media.value) {
            request.body = ImportedBody.text(text(value, media.value["schema"], media.type), contentType: media.type)
        }
        return request
    }

    /// The statuses that a key describes: `200`, `2XX`, or nil for `default`; nil for another key, also for `1XX`, which precedes a response.
    static func statuses(_ key: String) -> (range: ClosedRange<Int>?, Void)? {
        if key == "default" { return (nil, ()) }
        if key.count == 3, key.lowercased().hasSuffix("xx"), let first = key.first?.wholeNumberValue, (2...5).contains(first) {
            return (first * 100...first * 100 + 99, ())
        }
        guard let status = Int(key), (200...599).contains(status) else { return nil }
        return (status...status, ())
    }

    // MARK: Bodies

    /// A body with its media type.
    private struct Content {
        var type: String
        var example: String?
        var body: String
    }

    private func contents(of response: OpenAPIValue) -> [Content] {
        OpenAPIMedia.ranked(response["content"]).flatMap { member -> [Content] in
            guard let value = reader.resolved(member.value) else { return [] }
            let schema = value["schema"] ?? value["itemSchema"]
            let named = value["example"] == nil ? value["examples"]?.members ?? [] : []
            let examples = named.compactMap { example -> Content? in
                guard let target = reader.resolved(example.value), let found = target.node["dataValue"] ?? target.node["value"] else { return nil }
                return Content(type: member.name, example: example.name, body: text(found.json, schema, member.name))
            }
            if !examples.isEmpty { return examples }
            let example = OpenAPISample.example(in: value, reader)
            guard hasSamples || example != nil else { return [] }
            return [Content(type: member.name, body: body(example, schema, member.name))]
        }
    }

    private func swaggerContents(of response: OpenAPIValue) -> [Content] {
        let examples = (response["examples"]?.members ?? []).map { example in
            Content(type: example.name, body: text(example.value.node.json, response["schema"], example.name))
        }
        guard hasSamples, examples.isEmpty, let schema = response["schema"] else { return examples }
        let types = produces.isEmpty ? ["application/json"] : produces
        return types.sorted { OpenAPIMedia.rank($0) < OpenAPIMedia.rank($1) }.map { Content(type: $0, body: body(nil, schema, $0)) }
    }

    private func body(_ example: JSONValue?, _ schema: OpenAPIValue?, _ type: String) -> String {
        var sample = OpenAPISample(reader, isResponse: true, seed: reader.source.sampleSeed)
        let value = example ?? schema.flatMap { sample.value(for: $0) }
        return value.map { text($0, schema, type) } ?? ""
    }

    private func text(_ value: JSONValue, _ schema: OpenAPIValue?, _ type: String) -> String {
        // A range of types is sent as JSON.
        if OpenAPIMedia.isJSON(type) || type.contains("*") {
            // An example is sometimes written as the text of the JSON.
            if case .string(let text) = value, schema.map({ OpenAPISchema($0, reader).type != "string" }) ?? true, JSONValue(ifValid: text) != nil {
                return text
            }
            return JSONText.pretty(value.text) ?? value.text
        }
        if case .string(let text) = value { return text }
        if OpenAPIMedia.isXML(type), let schema { return OpenAPIXML(reader: reader).text(of: value, schema: schema) }
        return OpenAPIStyle.text(value)
    }

    // MARK: Header fields

    private func headers(of response: OpenAPIValue) -> [Parameter] {
        (response["headers"]?.members ?? []).compactMap { member in
            guard let header = reader.resolved(member.value), member.name.lowercased() != "content-type" else { return nil }
            var sample = OpenAPISample(reader, isResponse: true, seed: reader.source.sampleSeed)
            // In Swagger 2.0 the keywords of the schema are in the header itself.
            let value = OpenAPISample.example(in: header, reader) ?? (hasSamples ? sample.value(for: header["schema"] ?? header) : nil)
            guard hasSamples || value != nil else { return nil }
            let field = Parameter(member.name, value.map(OpenAPIStyle.text) ?? "")
            return ImportedHeader.problem(of: field.name, field.value, isRequest: false) == nil ? field : nil
        }
    }
}
