internal import SortieBase
internal import WorkspaceModel

/// The body of an operation.
struct OpenAPIBody {
    let reader: OpenAPIReader
    let item: String
    let id: String
    private(set) var body = BodyTemplate.none
    /// The media type for the field Content-Type, where it differs from that of the kind of the body; nil for none.
    private(set) var contentType: String?

    init(_ reader: OpenAPIReader, item: String, id: String) {
        (self.reader, self.item, self.id) = (reader, item, id)
    }

    // MARK: OpenAPI 3

    /// Reads `requestBody`.
    mutating func read(_ value: OpenAPIValue) {
        guard let value = reader.resolved(value) else {
            return reader.add(.omitted, item, "the body cannot be read", at: value, id: id)
        }
        guard let chosen = OpenAPIMedia.ranked(value["content"]).first else { return }
        let others = (value["content"]?.members ?? []).map(\.name).filter { $0 != chosen.name }
        if !others.isEmpty {
            reader.add(.changed, item, "the body is \(chosen.name); it can also be \(others.joined(separator: ", "))", at: value, id: id)
        }
        guard let media = reader.resolved(chosen.value) else { return }
        let example = OpenAPISample.example(in: media, reader)
        // A stream of items (OpenAPI 3.2) is shown by one item.
        let schema = media["schema"] ?? media["itemSchema"]
        set(type: Template.quoting(chosen.name), example: example, schema: schema, encoding: media["encoding"], at: media)
    }

    // MARK: Swagger 2.0

    /// Reads parameters in `body` and `formData`.
    mutating func read(_ parameters: [OpenAPIValue], consumes: [String]) {
        if let parameter = parameters.first(where: { $0["in"]?.text == "body" }) {
            let type = consumes.min { OpenAPIMedia.rank($0) < OpenAPIMedia.rank($1) } ?? "application/json"
            let others = consumes.filter { $0 != type }
            if !others.isEmpty {
                reader.add(.changed, item, "the body is \(type); it can also be \(others.joined(separator: ", "))", at: parameter, id: id)
            }
            let example = OpenAPISample.example(in: parameter, reader)
            // A form as one schema has no defined meaning in Swagger 2.0.
            set(type: Template.quoting(type), example: example, schema: parameter["schema"], encoding: nil, at: parameter)
            return
        }
        guard !parameters.isEmpty else { return }
        let hasFile = parameters.contains { $0["type"]?.text == "file" }
        if hasFile || consumes.contains(where: OpenAPIMedia.isMultipart) && !consumes.contains(where: OpenAPIMedia.isForm) {
            body = .multipart(parameters.flatMap { parts(named: $0["name"]?.text ?? "", $0, isRequired: $0["required"]?.bool == true, type: nil) })
        } else {
            body = .form(
                parameters.flatMap { parameter in
                    fields(
                        named: parameter["name"]?.text ?? "", sample(parameter), OpenAPIStyle(parameter, location: "formData", isSwagger: true),
                        isEnabled: parameter["required"]?.bool == true, summary: parameter["description"]?.text)
                })
        }
        body = Self.withFields(body)
    }

    // MARK: Kinds

    /// The body with its optional fields where it has no others, as a JSON body has them; a file is one of them only where there is no other field.
    private static func withFields(_ body: BodyTemplate) -> BodyTemplate {
        switch body {
        case .form(var rows) where !rows.contains(where: \.isEnabled):
            for index in rows.indices { rows[index].isEnabled = true }
            return .form(rows)
        case .multipart(var parts) where !parts.contains(where: \.isEnabled):
            let hasValues = parts.contains { !$0.isFile }
            for index in parts.indices where !hasValues || !parts[index].isFile { parts[index].isEnabled = true }
            return .multipart(parts)
        default: return body
        }
    }

    private mutating func set(type: String, example: JSONValue?, schema: OpenAPIValue?, encoding: OpenAPIValue?, at place: OpenAPIValue) {
        let name = OpenAPIMedia.name(type)
        if type.contains(";"), OpenAPIMedia.isForm(type) || name == "application/json" { contentType = type }
        if OpenAPIMedia.isForm(type) {
            body = Self.withFields(.form(form(example, schema, encoding)))
        } else if OpenAPIMedia.isMultipart(type) {
            if name != "multipart/form-data" {
                reader.add(.changed, item, "the body is sent as multipart/form-data instead of \(type)", at: place, id: id)
            }
            body = Self.withFields(.multipart(multipart(example, schema, encoding)))
        } else if OpenAPIMedia.isJSON(type) {
            let text = json(example ?? sample(schema, at: place), schema)
            body = name == "application/json" ? .json(text) : .text(text, contentType: type)
        } else if case .string(let text)? = example {
            body = .text(Template.quoting(text), contentType: type)
        } else if OpenAPIMedia.isXML(type) {
            let value = example ?? sample(schema, at: place)
            var text = ""
            if let value, let schema { text = OpenAPIXML(reader: reader).text(of: value, schema: schema) }
            body = .text(Template.quoting(text), contentType: type)
        } else if OpenAPIMedia.isText(type) {
            let value = example ?? sample(schema, at: place)
            body = .text(Template.quoting(value.map(OpenAPIStyle.text) ?? ""), contentType: type)
        } else {
            let isAny = type.contains("*")
            reader.add(
                .changed, item, "the body is a file of the type \(type); choose it in the endpoint", at: place, id: id)
            body = .file(path: "body.bin", contentType: isAny ? nil : type)
        }
    }

    private func json(_ value: JSONValue?, _ schema: OpenAPIValue?) -> String {
        // Many descriptions have the text of an object or an array as their example, which is not meant as a string.
        if case .string(let example)? = value, let first = example.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
            schema.map({ OpenAPISchema($0, reader).type }) != "string", let text = JSONText.pretty(example)
        {
            return Template.quoting(text)
        }
        let text = (value ?? .object([])).text
        return Template.quoting(JSONText.pretty(text) ?? text)
    }

    private func sample(_ schema: OpenAPIValue?, at place: OpenAPIValue) -> JSONValue? {
        guard let schema else { return nil }
        var sample = OpenAPISample(reader)
        let value = sample.value(for: schema)
        if sample.isShortened {
            reader.add(.changed, item, "the body is shortened, because its schema describes a very large value", at: place, id: id)
        }
        return value
    }

    private func sample(_ schema: OpenAPIValue) -> JSONValue? { sample(schema, at: schema) }

    private func form(_ example: JSONValue?, _ schema: OpenAPIValue?, _ encoding: OpenAPIValue?) -> [Parameter] {
        func style(_ name: String) -> OpenAPIStyle? {
            guard let field = encoding?[name], field["style"] != nil || field["explode"] != nil else { return nil }
            return OpenAPIStyle(field, location: "query", isSwagger: false)
        }
        if case .object(let members)? = example {
            return members.flatMap { fields(named: $0.key, $0.value, style($0.key), isEnabled: true, summary: nil) }
        }
        let properties = schema.map { OpenAPISchema($0, reader).properties } ?? []
        if properties.isEmpty, let schema, case .object(let members)? = sample(schema) {
            return members.flatMap { fields(named: $0.key, $0.value, style($0.key), isEnabled: true, summary: nil) }
        }
        return properties.flatMap { property in
            let layers = OpenAPISchema(property.schema, reader)
            if layers["readOnly"]?.bool == true { return [Parameter]() }
            return fields(
                named: property.name, sample(property.schema), style(property.name), isEnabled: property.isRequired,
                summary: layers["description"]?.text)
        }
    }

    private func fields(named name: String, _ value: JSONValue?, _ style: OpenAPIStyle?, isEnabled: Bool, summary: String?) -> [Parameter] {
        return OpenAPIStyle.fields(of: value, named: name, style).map {
            Parameter(Template.quoting($0.name), Template.quoting($0.value), isEnabled: isEnabled, summary: OpenAPIText.line(summary))
        }
    }

    private func multipart(_ example: JSONValue?, _ schema: OpenAPIValue?, _ encoding: OpenAPIValue?) -> [BodyTemplate.Part] {
        let properties = schema.map { OpenAPISchema($0, reader).properties } ?? []
        guard !properties.isEmpty else {
            guard case .object(let members)? = example ?? schema.flatMap({ sample($0) }) else { return [] }
            return members.map { .init(name: Template.quoting($0.key), value: Template.quoting(OpenAPIStyle.text($0.value))) }
        }
        var shown: [String: JSONValue] = [:]
        if case .object(let members)? = example { for member in members { shown[member.key] = member.value } }
        return properties.flatMap { property in
            if OpenAPISchema(property.schema, reader)["readOnly"]?.bool == true { return [BodyTemplate.Part]() }
            let type = encoding?[property.name]?["contentType"]?.text?.split(separator: ",").first.map { String($0) }
            if let headers = encoding?[property.name]?["headers"] {
                let names = headers.members.map(\.name).joined(separator: ", ")
                reader.add(.omitted, item, "the part \(property.name): its header fields \(names) are not imported", at: headers, id: id)
            }
            return parts(
                named: property.name, property.schema, isRequired: property.isRequired || shown[property.name] != nil, type: type,
                example: shown[property.name])
        }
    }

    private func parts(
        named name: String, _ schema: OpenAPIValue, isRequired: Bool, type: String?, example: JSONValue? = nil
    ) -> [BodyTemplate.Part] {
        let layers = OpenAPISchema(schema, reader)
        if layers.isBinary || type.map({ !OpenAPIMedia.isText($0) && !$0.contains("*") }) == true {
            let stem = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "_" })
            reader.add(.changed, item, "the part \(name) is a file; choose it in the endpoint", at: schema, id: id)
            return [
                .init(
                    name: Template.quoting(name), value: (stem.isEmpty ? "file" : stem) + ".bin", isFile: true,
                    contentType: (type ?? layers["contentMediaType"]?.text).flatMap { $0.contains("*") ? nil : Template.quoting($0) },
                    isEnabled: isRequired)
            ]
        }
        let value = example ?? sample(schema)
        var values: [JSONValue?] = [value]
        if case .array(let items)? = value, !items.isEmpty { values = items }
        return values.map { value in
            var partType = type.flatMap { $0.contains("*") ? nil : Template.quoting($0) }
            if case .object? = value, partType == nil { partType = "application/json" }
            return .init(
                name: Template.quoting(name), value: Template.quoting(value.map(OpenAPIStyle.text) ?? ""), contentType: partType,
                isEnabled: isRequired)
        }
    }
}

/// The kinds of media types that bodies have.
enum OpenAPIMedia {
    /// The type without parameters in lower case.
    static func name(_ type: String) -> String {
        let name = type.prefix { $0 != ";" }.lowercased()
        return String(name.filter { !$0.isWhitespace })
    }

    static func isJSON(_ type: String) -> Bool {
        let name = name(type)
        return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
    }

    /// The type of plain text.
    static let text = "text/plain"

    static func isForm(_ type: String) -> Bool { name(type) == "application/x-www-form-urlencoded" }

    static func isMultipart(_ type: String) -> Bool { name(type).hasPrefix("multipart/") }

    /// The types of a form of Swagger 2.0; other types have no fields, and the root may name them for all operations.
    static func forms(_ consumes: [String], hasFile: Bool) -> (types: [String], isAssumed: Bool) {
        let forms = consumes.filter { isForm($0) || isMultipart($0) }
        guard forms.isEmpty else { return (forms, false) }
        return ((hasFile ? [] : ["application/x-www-form-urlencoded"]) + ["multipart/form-data"], true)
    }

    static func isXML(_ type: String) -> Bool {
        let name = name(type)
        return name == "application/xml" || name == "text/xml" || name.hasSuffix("+xml")
    }

    static func isText(_ type: String) -> Bool {
        let name = name(type)
        let isScript = name.hasSuffix("/yaml") || name.hasSuffix("/x-yaml") || name.hasSuffix("/graphql") || name.hasSuffix("ndjson")
        return name.hasPrefix("text/") || isJSON(type) || isXML(type) || isForm(type) || isScript || name.hasSuffix("/jsonl")
    }

    /// The members of `content:` in the order of preference.
    static func ranked(_ content: OpenAPIValue?) -> [OpenAPIValue.Member] {
        (content?.members ?? []).enumerated().map { (rank: rank($0.element.name), offset: $0.offset, member: $0.element) }
            .sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.map(\.member)
    }

    /// The order of preference, the first one being the easiest to edit.
    static func rank(_ type: String) -> Int {
        isJSON(type) ? (name(type) == "application/json" ? 0 : 1) : isForm(type) ? 2 : isMultipart(type) ? 3 : isXML(type) ? 4 : isText(type) ? 5 : 6
    }
}
