package import SortieBase

/// Converts JSON to messages by the rules of ProtoJSON: fields by their name in JSON or in the `.proto` file, 64-bit numbers as texts or numbers, bytes in
/// Base64, enumerations by name or number.
package struct ProtobufEncoder {
    let schema: ProtobufSchema

    package init(_ schema: ProtobufSchema) { self.schema = schema }

    /// The bytes of a message.
    ///
    /// - Parameters:
    ///   - json: The message as JSON.
    ///   - type: The full name of its type.
    /// - Throws: An error with the place in the JSON.
    package func bytes(_ json: JSONValue, as type: String) throws(ProtobufError) -> [UInt8] {
        do throws(ProtobufError) { return try bytes(json, as: type, depth: 0) } catch { throw error.inside("$") }
    }

    func bytes(_ json: JSONValue, as type: String, depth: Int) throws(ProtobufError) -> [UInt8] {
        guard depth <= ProtobufReader.depthLimit else { throw ProtobufError("the message is nested deeper than \(ProtobufReader.depthLimit) levels") }
        let message = try schema.message(type)
        if let bytes = try wellKnown(json, message, depth) { return bytes }
        guard case .object(let members) = json else { throw ProtobufError("expected an object, the message \(type)") }
        return try bytes(members, of: message, depth)
    }

    func bytes(_ members: [JSONValue.Member], of message: ProtobufMessageType, _ depth: Int) throws(ProtobufError) -> [UInt8] {
        var writer = ProtobufWriter()
        var written: Set<Int> = []
        var oneofs: [Int: String] = [:]
        for member in members {
            do throws(ProtobufError) {
                guard let field = message.field(named: member.key) else { throw unknown(member.key, in: message) }
                if member.value == .null, field.typeName != "google.protobuf.Value", field.typeName != "google.protobuf.NullValue" { continue }
                guard written.insert(field.number).inserted else { throw ProtobufError("the field has two values") }
                if let oneof = field.oneof, let other = oneofs.updateValue(member.key, forKey: oneof) {
                    throw ProtobufError("only one of \(other) and \(member.key) can have a value")
                }
                try write(member.value, of: field, to: &writer, depth)
            } catch { throw error.inside(Self.step(member.key)) }
        }
        if let missing = message.fields.first(where: { $0.isRequired && !written.contains($0.number) }) {
            throw ProtobufError("the required field \(missing.jsonName) is missing")
        }
        return writer.bytes
    }

    private static func step(_ key: String) -> String {
        key.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") } ? ".\(key)" : "[\(JSONValue.string(key).text)]"
    }

    private func unknown(_ name: String, in message: ProtobufMessageType) -> ProtobufError {
        let names = message.fields.map(\.jsonName)
        let hint =
            if let near = Suggestion.nearest(to: name, in: names) { "; did you mean \(near)?" } else if names.isEmpty { ", which has no fields" } else
            {
                "; it has \(names.prefix(12).joined(separator: ", "))" + (names.count > 12 ? ", …" : "")
            }
        return ProtobufError("no field of \(message.name)" + hint)
    }

    private func write(_ value: JSONValue, of field: ProtobufField, to writer: inout ProtobufWriter, _ depth: Int) throws(ProtobufError) {
        guard field.isRepeated else {
            if !field.hasPresence, isDefault(value, of: field) { return }
            return try writeOne(value, of: field, to: &writer, depth)
        }
        if field.kind == .message, let entry = schema.messages[field.typeName], entry.isMapEntry {
            return try writeMap(value, entry, field, to: &writer, depth)
        }
        guard case .array(let items) = value else { throw ProtobufError("expected a list of \(field.kind.name) values") }
        var packed = ProtobufWriter()
        for (index, item) in items.enumerated() {
            do throws(ProtobufError) {
                if item == .null, field.typeName != "google.protobuf.Value", field.typeName != "google.protobuf.NullValue" {
                    throw ProtobufError("a list cannot have null")
                }
                if field.isPacked { try append(item, of: field, to: &packed) } else { try writeOne(item, of: field, to: &writer, depth) }
            } catch { throw error.inside("[\(index)]") }
        }
        if field.isPacked, !items.isEmpty { writer.write(field.number, bytes: packed.bytes) }
    }

    private func writeMap(
        _ value: JSONValue, _ entry: ProtobufMessageType, _ field: ProtobufField, to writer: inout ProtobufWriter, _ depth: Int
    ) throws(ProtobufError) {
        guard let key = entry.field(1), let item = entry.field(2) else { throw ProtobufError("the schema has an incomplete map \(entry.name)") }
        guard case .object(let members) = value else { throw ProtobufError("expected an object, a map of \(item.kind.name) values") }
        for member in members {
            do throws(ProtobufError) {
                let name: JSONValue =
                    switch (key.kind, member.key) {
                    case (.bool, "true"): true
                    case (.bool, "false"): false
                    default: .string(member.key)
                    }
                var inner = ProtobufWriter()
                try writeOne(name, of: key, to: &inner, depth)
                try writeOne(member.value, of: item, to: &inner, depth)
                writer.write(field.number, bytes: inner.bytes)
            } catch { throw error.inside(Self.step(member.key)) }
        }
    }

    private func writeOne(_ value: JSONValue, of field: ProtobufField, to writer: inout ProtobufWriter, _ depth: Int) throws(ProtobufError) {
        switch field.kind {
        case .message: writer.write(field.number, bytes: try bytes(value, as: field.typeName, depth: depth + 1))
        case .group: writer.write(field.number, group: try bytes(value, as: field.typeName, depth: depth + 1))
        case .string:
            guard case .string(let text) = value else { throw .expected("a text", value) }
            writer.write(field.number, bytes: Array(text.utf8))
        case .bytes:
            guard case .string(let text) = value, let bytes = Base64.bytes(text) else { throw .expected("bytes in Base64", value) }
            writer.write(field.number, bytes: bytes)
        case .double, .float, .int64, .uint64, .int32, .fixed64, .fixed32, .bool, .uint32, .enumeration, .sfixed32, .sfixed64, .sint32, .sint64:
            writer.tag(field.number, field.kind.wireType)
            try append(value, of: field, to: &writer)
        }
    }

    /// Writes a number, a truth value or an enumeration, without its field.
    private func append(_ value: JSONValue, of field: ProtobufField, to writer: inout ProtobufWriter) throws(ProtobufError) {
        switch field.kind {
        case .double: writer.append(fixed64: try Self.double(value).bitPattern)
        case .float:
            let number = try Self.double(value)
            guard !number.isFinite || Float(number).isFinite else { throw .expected("a number that a float can hold", value) }
            writer.append(fixed32: Float(number).bitPattern)
        case .int64: writer.append(varint: UInt64(bitPattern: try Self.integer(value)))
        case .uint64: writer.append(varint: try Self.integer(value))
        case .int32: writer.append(varint: UInt64(bitPattern: Int64(try Self.integer(value) as Int32)))
        case .uint32: writer.append(varint: UInt64(try Self.integer(value) as UInt32))
        case .fixed64: writer.append(fixed64: try Self.integer(value))
        case .fixed32: writer.append(fixed32: try Self.integer(value))
        case .sfixed64: writer.append(fixed64: UInt64(bitPattern: try Self.integer(value)))
        case .sfixed32: writer.append(fixed32: UInt32(bitPattern: try Self.integer(value)))
        case .sint64:
            let number: Int64 = try Self.integer(value)
            writer.append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
        case .sint32:
            let number: Int32 = try Self.integer(value)
            writer.append(varint: UInt64(UInt32(bitPattern: number << 1 ^ number >> 31)))
        case .bool:
            guard case .bool(let isTrue) = value else { throw .expected("true or false", value) }
            writer.append(varint: isTrue ? 1 : 0)
        case .enumeration: writer.append(varint: UInt64(bitPattern: Int64(try number(of: value, in: field.typeName))))
        case .string, .bytes, .message, .group: throw ProtobufError("the schema packs \(field.kind.name) values")
        }
    }

    private func number(of value: JSONValue, in type: String) throws(ProtobufError) -> Int32 {
        if value == .null, type == "google.protobuf.NullValue" { return 0 }
        guard case .string(let name) = value else { return try Self.integer(value) }
        let values = try schema.enumeration(type).values
        if let known = values.first(where: { $0.name == name }) { return known.number }
        let names = values.map(\.name)
        let near = Suggestion.nearest(to: name, in: names).map { "; did you mean \($0)?" }
        throw ProtobufError("\(type) has no value \(name)" + (near ?? "; it has \(names.prefix(12).joined(separator: ", "))"))
    }

    /// Whether a value is that of an absent field, which then is not written.
    private func isDefault(_ value: JSONValue, of field: ProtobufField) -> Bool {
        switch (field.kind, value) {
        case (.string, .string("")), (.bytes, .string("")), (.bool, .bool(false)): true
        case (.string, _), (.bytes, _), (.bool, _), (.message, _), (.group, _), (.enumeration, _): false
        case (_, .number("0")), (_, .string("0")): true
        default: false
        }
    }

    private static func double(_ value: JSONValue) throws(ProtobufError) -> Double {
        switch value {
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        case .number(let text), .string(let text):
            guard let number = Double(text), number.isFinite, !text.hasPrefix("0x") else { throw .expected("a number", value) }
            return number
        case .null, .bool, .array, .object: throw .expected("a number", value)
        }
    }

    private static func integer<Number: FixedWidthInteger>(_ value: JSONValue) throws(ProtobufError) -> Number {
        let range = "a whole number from \(Number.min) to \(Number.max)"
        switch value {
        case .number(let text), .string(let text):
            if let number = Number(text), !text.hasPrefix("+") { return number }
            guard let number = Double(text), abs(number) < 9_007_199_254_740_992, let exact = Number(exactly: number) else {
                throw .expected(range, value)
            }
            return exact
        case .null, .bool, .array, .object: throw .expected(range, value)
        }
    }
}

extension ProtobufError {
    static func expected(_ what: String, _ value: JSONValue) -> ProtobufError {
        let text = value.text
        return ProtobufError("expected \(what), not \(text.count > 40 ? text.prefix(40) + "…" : text)")
    }
}

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
