internal import SortieBase

/// A schema with what its references and `allOf` add.
struct OpenAPISchema {
    /// A property of an object.
    struct Property {
        var name: String
        var schema: OpenAPIValue
        var isRequired: Bool
    }

    /// How deep `allOf` and references nest at most.
    private static let maximumDepth = 32

    let reader: OpenAPIReader
    /// The schema itself and the schemas that it includes, the most specific ones first.
    let layers: [OpenAPIValue]

    init(_ value: OpenAPIValue, _ reader: OpenAPIReader) { self.init([value], reader) }

    /// Schemas that apply together.
    init(_ values: [OpenAPIValue], _ reader: OpenAPIReader) {
        self.reader = reader
        var layers: [OpenAPIValue] = []
        var seen: Set<OpenAPIValue.Identity> = []
        for value in values { Self.collect(value, reader, depth: 0, &seen, into: &layers) }
        self.layers = layers
    }

    private static func collect(
        _ value: OpenAPIValue, _ reader: OpenAPIReader, depth: Int, _ seen: inout Set<OpenAPIValue.Identity>, into layers: inout [OpenAPIValue]
    ) {
        guard depth < maximumDepth, seen.insert(OpenAPIValue.Identity(value)).inserted else { return }
        if value.reference != nil {
            // Keywords beside a reference apply as well (OpenAPI 3.1).
            if value.node.members?.count ?? 0 > 1 { layers.append(value) }
            if let target = reader.target(ofSchema: value) { collect(target, reader, depth: depth + 1, &seen, into: &layers) }
        } else {
            layers.append(value)
        }
        for item in value["allOf"]?.items ?? [] { collect(item, reader, depth: depth + 1, &seen, into: &layers) }
    }

    /// The value of a keyword.
    subscript(keyword: String) -> OpenAPIValue? {
        for layer in layers { if let value = layer[keyword] { return value } }
        return nil
    }

    /// The type: the declared one that is not null, else what the keywords imply; nil where there is none.
    var type: String? {
        if let declared = self["type"]?.texts.first(where: { $0 != "null" }) { return declared }
        if self["properties"] != nil || self["additionalProperties"]?.isObject == true || self["required"]?.node.items != nil { return "object" }
        if self["items"] != nil || self["prefixItems"] != nil { return "array" }
        if self["type"]?.texts.first == "null" { return "null" }
        if ["format", "pattern", "minLength", "maxLength", "contentMediaType", "contentEncoding"].contains(where: { self[$0] != nil }) {
            return "string"
        }
        return self["minimum"] != nil || self["maximum"] != nil || self["multipleOf"] != nil ? "number" : nil
    }

    /// The properties of all layers, each once; those of included schemas come first, as they are written.
    var properties: [Property] {
        let required = Set(layers.flatMap { $0["required"]?.texts ?? [] })
        var result: [Property] = []
        var positions: [String: Int] = [:]
        for layer in layers.reversed() {
            for member in layer["properties"]?.members ?? [] {
                let property = Property(name: member.name, schema: member.value, isRequired: required.contains(member.name))
                if let position = positions[member.name] {
                    result[position] = property
                } else {
                    positions[member.name] = result.count
                    result.append(property)
                }
            }
        }
        return result
    }

    /// The alternatives of `oneOf` or `anyOf`, those that are null last.
    var alternatives: [OpenAPIValue] {
        let all = self["oneOf"]?.items ?? self["anyOf"]?.items ?? []
        return all.filter { $0["type"]?.text != "null" } + all.filter { $0["type"]?.text == "null" }
    }

    /// Whether the value is the content of a file.
    var isBinary: Bool {
        var (schema, seen) = (self, Set<OpenAPIValue.Identity>())
        // The items of an array may be arrays of the same schema.
        while schema.type == "array", let items = schema["items"], seen.insert(OpenAPIValue.Identity(items)).inserted {
            schema = OpenAPISchema(items, reader)
        }
        if schema.type == "file" { return true }
        guard schema.type == nil || schema.type == "string" else { return false }
        if ["binary", "base64"].contains(schema["format"]?.text ?? "") { return true }
        guard let media = schema["contentMediaType"]?.text else { return false }
        return !OpenAPIMedia.isText(media)
    }
}
