internal import SortieBase
internal import SortieHTTP

/// Reads the responses of an operation: each example, else a value that the schema describes.
struct OpenAPIResponses {
    private let reader: OpenAPIReader
    private let isSwagger: Bool
    /// The media types of the responses of Swagger 2.0.
    private let produces: [String]

    init(_ reader: OpenAPIReader, isSwagger: Bool, produces: [String]) {
        (self.reader, self.isSwagger, self.produces) = (reader, isSwagger, produces)
    }

    /// The responses in the order of their statuses in the description, and of media types by preference.
    func responses(of operation: OpenAPIValue) -> [DescribedResponse] {
        (operation["responses"]?.members ?? []).flatMap { member -> [DescribedResponse] in
            guard let statuses = Self.statuses(member.name), let response = reader.resolved(member.value) else { return [] }
            let headers = headers(of: response)
            let contents = isSwagger ? swaggerContents(of: response) : contents(of: response)
            if contents.isEmpty { return [DescribedResponse(statuses: statuses.range, headers: headers)] }
            return contents.map { content in
                DescribedResponse(
                    statuses: statuses.range, example: content.example, headers: headers, contentType: content.type, body: content.body)
            }
        }
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
        let media = (response["content"]?.members ?? []).enumerated().sorted {
            (OpenAPIMedia.rank($0.element.name), $0.offset) < (OpenAPIMedia.rank($1.element.name), $1.offset)
        }
        return media.flatMap { _, member -> [Content] in
            guard let value = reader.resolved(member.value) else { return [] }
            let schema = value["schema"] ?? value["itemSchema"]
            let named = value["example"] == nil ? value["examples"]?.members ?? [] : []
            let examples = named.compactMap { example -> Content? in
                guard let target = reader.resolved(example.value), let found = target.node["dataValue"] ?? target.node["value"] else { return nil }
                return Content(type: member.name, example: example.name, body: text(found.json, schema, member.name))
            }
            if !examples.isEmpty { return examples }
            return [Content(type: member.name, body: body(OpenAPISample.example(in: value, reader), schema, member.name))]
        }
    }

    private func swaggerContents(of response: OpenAPIValue) -> [Content] {
        let examples = (response["examples"]?.members ?? []).map { example in
            Content(type: example.name, body: text(example.value.node.json, response["schema"], example.name))
        }
        guard examples.isEmpty, let schema = response["schema"] else { return examples }
        let types = produces.isEmpty ? ["application/json"] : produces
        return types.sorted { OpenAPIMedia.rank($0) < OpenAPIMedia.rank($1) }.map { Content(type: $0, body: body(nil, schema, $0)) }
    }

    private func body(_ example: JSONValue?, _ schema: OpenAPIValue?, _ type: String) -> String {
        var sample = OpenAPISample(reader, isResponse: true)
        let value = example ?? schema.flatMap { sample.value(for: $0) }
        return value.map { text($0, schema, type) } ?? ""
    }

    private func text(_ value: JSONValue, _ schema: OpenAPIValue?, _ type: String) -> String {
        // A range of types is sent as JSON.
        if OpenAPIMedia.isJSON(type) || type.contains("*") {
            // An example is sometimes written as the text of the JSON.
            if case .string(let text) = value, schema.map({ OpenAPISchema($0, reader).type != "string" }) ?? true,
                case .success = Result(catching: { () throws(BodyProblem) in try JSONValue(parsing: text) })
            {
                return text
            }
            return (JSONText.pretty(value.text) ?? value.text) + "\n"
        }
        if case .string(let text) = value { return text }
        if OpenAPIMedia.isXML(type), let schema { return OpenAPIXML(reader: reader).text(of: value, schema: schema) }
        return OpenAPIStyle.text(value)
    }

    // MARK: Header fields

    private func headers(of response: OpenAPIValue) -> [HeaderField] {
        (response["headers"]?.members ?? []).compactMap { member in
            guard let header = reader.resolved(member.value), member.name.lowercased() != "content-type" else { return nil }
            var sample = OpenAPISample(reader, isResponse: true)
            // In Swagger 2.0 the keywords of the schema are in the header itself.
            let value = OpenAPISample.example(in: header, reader) ?? sample.value(for: header["schema"] ?? header)
            let field = HeaderField(member.name, value.map(OpenAPIStyle.text) ?? "")
            return field.problem == nil ? field : nil
        }
    }
}
