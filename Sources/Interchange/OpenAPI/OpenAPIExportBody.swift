internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The `requestBody` of an exported operation.
struct OpenAPIExportBody {
    private let item: ExportSource.Item
    private let values: OpenAPIExportValues

    init(_ item: ExportSource.Item, _ values: OpenAPIExportValues) {
        (self.item, self.values) = (item, values)
    }

    /// The body; nil without one.
    var value: JSONValue? {
        switch item.endpoint.body {
        case .none: recorded
        case .json, .plist, .text: content(type, media(of: text))
        // By GET, its values are parameters of the query.
        case .graphQL: item.request.body == .none ? nil : content(type, media(of: text))
        case .form(let rows): content(type, ["schema": form(rows)])
        case .multipart(let parts): content("multipart/form-data", multipart(parts))
        case .file: content(type, ["schema": ["type": "string", "format": "binary"]])
        }
    }

    /// The body of a recorded request that is not text.
    private var recorded: JSONValue? {
        guard case .bytes(let bytes, let type) = item.request.body, !bytes.isEmpty else { return nil }
        return content(type ?? "application/octet-stream", ["schema": ["type": "string", "format": "binary"]])
    }

    private var type: String {
        let field = item.request.headers.fields.last { $0.isNamed("Content-Type") }?.value
        switch item.request.body {
        case .bytes(_, let type?), .file(_, let type?): return values.shown(field ?? type)
        default: return values.shown(field ?? item.endpoint.body.contentType ?? "application/octet-stream")
        }
    }

    private var text: String {
        guard case .bytes(let bytes, _) = item.request.body else { return "" }
        return values.shown(String(decoding: bytes, as: UTF8.self))
    }

    private func content(_ type: String, _ media: JSONValue) -> JSONValue {
        ["required": true, "content": .object([.init(type, media)])]
    }

    private func media(of text: String) -> JSONValue {
        // Placeholders can make the text invalid, which is then shown as text.
        if OpenAPIMedia.isJSON(type), let value = try? JSONValue(parsing: text) { return ["example": value] }
        if OpenAPIMedia.isForm(type) {
            let pairs = text.split(separator: "&").map { pair in
                pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { PercentEncoding.decode($0, plusIsSpace: true) }
            }
            return ["schema": form(pairs.map { Parameter(Template.quoting($0[0]), $0.count > 1 ? Template.quoting($0[1]) : "") })]
        }
        return ["schema": ["type": "string"], "example": .string(text)]
    }

    private func form(_ rows: [Parameter]) -> JSONValue {
        object(rows.map { (values.name($0.name), values.text($0.value), $0.isEnabled, $0.summary, false) })
    }

    private func multipart(_ parts: [BodyTemplate.Part]) -> JSONValue {
        let schema = object(parts.map { (values.name($0.name), $0.isFile ? nil : values.text($0.value), $0.isEnabled, nil, $0.isFile) })
        let types = parts.compactMap { part in
            part.contentType.flatMap { values.text($0) }.map { JSONValue.Member(values.name(part.name), ["contentType": .string($0)]) }
        }
        return types.isEmpty ? ["schema": schema] : ["schema": schema, "encoding": .object(types)]
    }

    /// The schema of fields; fields with one name are a list.
    private func object(_ fields: [(name: String, example: String?, isEnabled: Bool, summary: String?, isFile: Bool)]) -> JSONValue {
        var properties: [JSONValue.Member] = []
        var required: [JSONValue] = []
        for field in fields where !properties.contains(where: { $0.key == field.name }) {
            let same = fields.filter { $0.name == field.name }
            if same.contains(where: \.isEnabled) { required.append(.string(field.name)) }
            var members: [JSONValue.Member] = same.count > 1 ? [.init("type", "array")] : [.init("type", "string")]
            let kind: JSONValue = field.isFile ? ["type": "string", "format": "binary"] : ["type": "string"]
            if same.count > 1 { members.append(.init("items", kind)) } else if field.isFile { members.append(.init("format", "binary")) }
            if let summary = field.summary { members.append(.init("description", .string(summary))) }
            let examples = same.compactMap(\.example)
            if same.count > 1, !examples.isEmpty {
                members.append(.init("examples", .array([.array(examples.map { .string($0) })])))
            } else if let example = examples.first {
                members.append(.init("examples", .array([.string(example)])))
            }
            properties.append(.init(field.name, .object(members)))
        }
        var members: [JSONValue.Member] = [.init("type", "object")]
        if !required.isEmpty { members.append(.init("required", .array(required))) }
        return .object(members + [.init("properties", .object(properties))])
    }
}
