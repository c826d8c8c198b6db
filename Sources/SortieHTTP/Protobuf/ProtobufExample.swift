package import SortieBase

/// A message with the default value of each field, from which a request can be written.
package struct ProtobufExample {
    private let schema: ProtobufSchema

    package init(_ schema: ProtobufSchema) { self.schema = schema }

    /// The example of a message type; an empty object for an unknown one.
    ///
    /// A list and a map have one element. Of the fields of a oneof only the first one is present, a type inside itself is left out, and so are the
    /// fields of a large message after the first ones.
    package func json(of type: String) -> JSONValue {
        var rest = Self.fieldLimit
        return json(of: type, within: [], &rest)
    }

    /// The deepest nesting, after which the example is of no use.
    private static let depthLimit = 6
    /// The number of fields in all nested messages, which otherwise grows exponentially with the depth.
    private static let fieldLimit = 500

    /// - Parameter rest: The number of fields that may be added.
    private func json(of type: String, within outer: [String], _ rest: inout Int) -> JSONValue {
        switch type {
        case "google.protobuf.Timestamp": return "2027-01-31T12:00:00Z"
        case "google.protobuf.Duration": return "1s"
        case "google.protobuf.FieldMask": return ""
        case "google.protobuf.Struct", "google.protobuf.Any": return .object([])
        case "google.protobuf.ListValue": return .array([])
        case "google.protobuf.Value": return ""
        case _ where type.hasPrefix("google.protobuf.") && type.hasSuffix("Value"):
            return schema.messages[type]?.fields.first.map { ProtobufDecoder.zero(of: $0.kind) } ?? .null
        default: break
        }
        var members: [JSONValue.Member] = []
        var oneofs: Set<Int> = []
        for field in schema.messages[type]?.fields ?? [] {
            guard rest > 0 else { break }
            if let oneof = field.oneof, !oneofs.insert(oneof).inserted { continue }
            rest -= 1
            guard let value = value(of: field, within: outer + [type], &rest) else { continue }
            members.append(.init(field.jsonName, value))
        }
        return .object(members)
    }

    private func value(of field: ProtobufField, within outer: [String], _ rest: inout Int) -> JSONValue? {
        let one: JSONValue
        switch field.kind {
        case .message, .group:
            guard !outer.contains(field.typeName), outer.count < Self.depthLimit else { return nil }
            if let entry = schema.messages[field.typeName], entry.isMapEntry {
                guard let key = entry.field(1), let item = entry.field(2), let value = value(of: item, within: outer, &rest) else { return nil }
                let name = if case .string(let text) = ProtobufDecoder.zero(of: key.kind), !text.isEmpty { text } else { "key" }
                return .object([.init(key.kind == .string ? "key" : key.kind == .bool ? "true" : name == "key" ? "0" : name, value)])
            }
            one = json(of: field.typeName, within: outer, &rest)
        case .enumeration where field.typeName == "google.protobuf.NullValue": one = .null
        case .enumeration: one = schema.enums[field.typeName]?.values.first.map { .string($0.name) } ?? .integer(0)
        default: one = ProtobufDecoder.zero(of: field.kind)
        }
        return field.isRepeated ? .array([one]) : one
    }
}
