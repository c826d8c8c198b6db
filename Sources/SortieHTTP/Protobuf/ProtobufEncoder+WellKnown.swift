internal import SortieBase

/// The types with a JSON form of their own.
extension ProtobufEncoder {
    /// The bytes of a message of such a type; nil for other types.
    func wellKnown(_ json: JSONValue, _ message: ProtobufMessageType, _ depth: Int) throws(ProtobufError) -> [UInt8]? {
        guard message.name.hasPrefix("google.protobuf.") else { return nil }
        switch message.name.dropFirst("google.protobuf.".count) {
        case "Timestamp":
            guard case .string(let text) = json, let time = ProtobufTime.timestamp(text) else {
                throw .expected("a time such as \"2027-01-31T12:00:00Z\"", json)
            }
            return Self.bytes(time)
        case "Duration":
            guard case .string(let text) = json, let time = ProtobufTime.duration(text) else { throw .expected("a duration such as \"1.5s\"", json) }
            return Self.bytes(time)
        case "FieldMask":
            guard case .string(let text) = json else { throw .expected("paths such as \"name,price\"", json) }
            var writer = ProtobufWriter()
            for path in text.split(separator: ",") { writer.write(1, bytes: Array(Self.snakeCase(path).utf8)) }
            return writer.bytes
        case "Struct": return try bytes([.init("fields", json)], of: message, depth)
        case "ListValue": return try bytes([.init("values", json)], of: message, depth)
        case "Value":
            let name =
                switch json {
                case .null: "nullValue"
                case .bool: "boolValue"
                case .number: "numberValue"
                case .string: "stringValue"
                case .array: "listValue"
                case .object: "structValue"
                }
            return try bytes([.init(name, json)], of: message, depth)
        case "Any": return try any(json, depth)
        case "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value", "BoolValue", "StringValue", "BytesValue":
            return try bytes([.init("value", json)], of: message, depth)
        default: return nil
        }
    }

    private static func bytes(_ time: (seconds: Int64, nanoseconds: Int32)) -> [UInt8] {
        var writer = ProtobufWriter()
        if time.seconds != 0 { writer.write(1, varint: UInt64(bitPattern: time.seconds)) }
        if time.nanoseconds != 0 { writer.write(2, varint: UInt64(bitPattern: Int64(time.nanoseconds))) }
        return writer.bytes
    }

    /// The name in a `.proto` file for one in JSON: `orderId` becomes `order_id`.
    private static func snakeCase(_ path: Substring) -> String {
        path.reduce(into: "") { $0 += $1.isASCII && $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }

    private func any(_ json: JSONValue, _ depth: Int) throws(ProtobufError) -> [UInt8] {
        guard case .object(let members) = json else { throw .expected("an object with @type", json) }
        if members.isEmpty { return [] }
        guard case .string(let url)? = json["@type"] else { throw ProtobufError("the member @type is missing") }
        let name = String(url.split(separator: "/").last ?? "")
        guard schema.messages[name] != nil else { throw ProtobufError("@type: the schema has no message type \(name)") }
        let rest = members.filter { $0.key != "@type" }
        let isWrapped = name.hasPrefix("google.protobuf.") && rest.count == 1 && rest[0].key == "value" && name != "google.protobuf.Empty"
        var writer = ProtobufWriter()
        writer.write(1, bytes: Array(url.utf8))
        writer.write(2, bytes: try bytes(isWrapped ? rest[0].value : .object(rest), as: name, depth: depth + 1))
        return writer.bytes
    }
}
