package import SortieBase

internal import struct FoundationEssentials.Data

/// Converts messages to JSON by the rules of ProtoJSON.
///
/// Fields that do not distinguish an absent value from the default one are always present, so that their values can be compared. Fields that the schema
/// does not have are kept under `#` and their number: a number, a text, or bytes in Base64.
package struct ProtobufDecoder {
    let schema: ProtobufSchema

    package init(_ schema: ProtobufSchema) { self.schema = schema }

    /// The JSON of a message.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - type: The full name of its type.
    /// - Throws: An error for bytes that are not a message of the type.
    package func json(_ bytes: ArraySlice<UInt8>, as type: String) throws(ProtobufError) -> JSONValue {
        try json(bytes, as: type, depth: 0)
    }

    func json(_ bytes: ArraySlice<UInt8>, as type: String, depth: Int) throws(ProtobufError) -> JSONValue {
        let message = try schema.message(type)
        if let value = try wellKnown(bytes, message, depth) { return value }
        return .object(try members(bytes, of: message, depth))
    }

    func members(_ bytes: ArraySlice<UInt8>, of message: ProtobufMessageType, _ depth: Int) throws(ProtobufError) -> [JSONValue.Member] {
        let values = try values(bytes, of: message, depth)
        var members: [JSONValue.Member] = []
        for field in message.fields {
            do throws(ProtobufError) {
                if let value = try json(values.known[field.number] ?? [], of: field, depth) { members.append(.init(field.jsonName, value)) }
            } catch { throw error.inside(".\(field.jsonName)") }
        }
        return members + values.unknown
    }

    /// The values of the fields on the wire; of a oneof only those of the last member.
    private func values(
        _ bytes: ArraySlice<UInt8>, of message: ProtobufMessageType, _ depth: Int
    ) throws(ProtobufError) -> (known: [Int: [ProtobufWireValue]], unknown: [JSONValue.Member]) {
        var known: [Int: [ProtobufWireValue]] = [:]
        var unknown: [JSONValue.Member] = []
        var reader = try ProtobufReader(bytes, depth: depth)
        while let (number, value) = try reader.next() {
            guard let field = message.field(number) else {
                unknown.append(.init("#\(number)", Self.unknown(value)))
                continue
            }
            if let oneof = field.oneof {
                for other in message.fields where other.oneof == oneof && other.number != number { known[other.number] = nil }
            }
            known[number, default: []].append(value)
        }
        return (known, unknown)
    }

    /// The value of a field; nil where it is absent.
    private func json(_ values: [ProtobufWireValue], of field: ProtobufField, _ depth: Int) throws(ProtobufError) -> JSONValue? {
        if field.isRepeated {
            if field.kind == .message, let entry = schema.messages[field.typeName], entry.isMapEntry { return try map(values, entry, depth) }
            var items: [JSONValue] = []
            for value in values {
                if case .bytes(let packed) = value, field.kind.isPackable {
                    var reader = try ProtobufReader(packed)
                    while let value = try reader.nextPacked(field.kind) { items.append(try scalar(value, of: field)) }
                } else {
                    do throws(ProtobufError) { items.append(try json(value, of: field, depth)) } catch { throw error.inside("[\(items.count)]") }
                }
            }
            return .array(items)
        }
        guard let last = values.last else {
            // `nil` alone could be the JSON value.
            return field.hasPresence ? JSONValue?.none : try defaultValue(of: field)
        }
        guard field.kind == .message || field.kind == .group else { return try json(last, of: field, depth) }
        // Several values of a message field are merged, which their concatenation does.
        var merged: [UInt8] = []
        for value in values { merged += try content(of: value, field) }
        return try json(merged[...], as: field.typeName, depth: depth + 1)
    }

    private func json(_ value: ProtobufWireValue, of field: ProtobufField, _ depth: Int) throws(ProtobufError) -> JSONValue {
        switch field.kind {
        case .message, .group: try json(try content(of: value, field), as: field.typeName, depth: depth + 1)
        default: try scalar(value, of: field)
        }
    }

    private func content(of value: ProtobufWireValue, _ field: ProtobufField) throws(ProtobufError) -> ArraySlice<UInt8> {
        switch value {
        case .bytes(let bytes) where field.kind == .message: return bytes
        case .group(let bytes) where field.kind == .group: return bytes
        case .varint, .fixed64, .fixed32, .bytes, .group: throw .mismatch(field)
        }
    }

    private func map(_ values: [ProtobufWireValue], _ entry: ProtobufMessageType, _ depth: Int) throws(ProtobufError) -> JSONValue {
        guard let key = entry.field(1), let item = entry.field(2) else { throw ProtobufError("the schema has an incomplete map \(entry.name)") }
        var members: [JSONValue.Member] = []
        var places: [String: Int] = [:]
        for value in values {
            guard case .bytes(let bytes) = value else { throw ProtobufError("the entry of a map is not a message") }
            let parts = try self.values(bytes, of: entry, depth + 1).known
            let keyValue = try parts[1]?.last.map { value throws(ProtobufError) in try scalar(value, of: key) } ?? Self.zero(of: key.kind)
            let name = if case .string(let text) = keyValue { text } else { keyValue.text }
            let json: JSONValue
            if let value = parts[2] {
                json = try self.json(value, of: item, depth + 1) ?? .null
            } else {
                json = item.kind == .message ? try self.json([], as: item.typeName, depth: depth + 2) : try defaultValue(of: item)
            }
            if let place = places[name] {
                members[place].value = json
            } else {
                places[name] = members.count
                members.append(.init(name, json))
            }
        }
        return .object(members)
    }

    private func scalar(_ value: ProtobufWireValue, of field: ProtobufField) throws(ProtobufError) -> JSONValue {
        switch (field.kind, value) {
        case (.double, .fixed64(let bits)): return Self.number(Double(bitPattern: bits), "\(Double(bitPattern: bits))")
        case (.float, .fixed32(let bits)): return Self.number(Double(Float(bitPattern: bits)), "\(Float(bitPattern: bits))")
        case (.int64, .varint(let bits)): return .string(String(Int64(bitPattern: bits)))
        case (.uint64, .varint(let bits)), (.fixed64, .fixed64(let bits)): return .string(String(bits))
        case (.sfixed64, .fixed64(let bits)): return .string(String(Int64(bitPattern: bits)))
        case (.sint64, .varint(let bits)): return .string(String(Self.zigzag(bits)))
        case (.int32, .varint(let bits)): return .integer(Int32(truncatingIfNeeded: bits))
        case (.uint32, .varint(let bits)): return .integer(UInt32(truncatingIfNeeded: bits))
        case (.sint32, .varint(let bits)): return .integer(Int32(truncatingIfNeeded: Self.zigzag(UInt64(UInt32(truncatingIfNeeded: bits)))))
        case (.fixed32, .fixed32(let bits)): return .integer(bits)
        case (.sfixed32, .fixed32(let bits)): return .integer(Int32(bitPattern: bits))
        case (.bool, .varint(let bits)): return .bool(bits != 0)
        case (.enumeration, .varint(let bits)): return try name(of: Int32(truncatingIfNeeded: bits), in: field.typeName)
        case (.string, .bytes(let bytes)):
            guard let text = String(validating: bytes, as: UTF8.self) else { throw ProtobufError("the text is not UTF-8") }
            return .string(text)
        case (.bytes, .bytes(let bytes)): return .string(Self.base64(bytes))
        default: throw .mismatch(field)
        }
    }

    private func name(of number: Int32, in type: String) throws(ProtobufError) -> JSONValue {
        if type == "google.protobuf.NullValue" { return .null }
        return try schema.enumeration(type).values.first { $0.number == number }.map { .string($0.name) } ?? .integer(number)
    }

    private func defaultValue(of field: ProtobufField) throws(ProtobufError) -> JSONValue {
        field.kind == .enumeration
            ? try name(of: schema.enumeration(field.typeName).values.first?.number ?? 0, in: field.typeName) : Self.zero(of: field.kind)
    }

    /// The default value of a number, a text or bytes.
    static func zero(of kind: ProtobufField.Kind) -> JSONValue {
        switch kind {
        case .string, .bytes: ""
        case .bool: false
        case .int64, .uint64, .sint64, .fixed64, .sfixed64: "0"
        case .double, .float, .int32, .uint32, .sint32, .fixed32, .sfixed32, .enumeration: .integer(0)
        case .message, .group: .object([])
        }
    }

    /// A floating point number, which JSON has for finite ones only.
    private static func number(_ value: Double, _ text: String) -> JSONValue {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    static func base64(_ bytes: ArraySlice<UInt8>) -> String { Data(bytes).base64EncodedString() }

    private static func zigzag(_ bits: UInt64) -> Int64 { Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1) }

    private static func unknown(_ value: ProtobufWireValue) -> JSONValue {
        switch value {
        case .varint(let bits), .fixed64(let bits): .integer(bits)
        case .fixed32(let bits): .integer(bits)
        case .bytes(let bytes), .group(let bytes):
            if let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) {
                .string(text)
            } else {
                .string(Self.base64(bytes))
            }
        }
    }
}

extension ProtobufError {
    fileprivate static func mismatch(_ field: ProtobufField) -> ProtobufError {
        ProtobufError("the value on the wire is not of the type \(field.kind.name), which the schema has")
    }
}

/// The types with a JSON form of their own.
extension ProtobufDecoder {
    /// The JSON of a message of such a type; nil for other types.
    func wellKnown(_ bytes: ArraySlice<UInt8>, _ message: ProtobufMessageType, _ depth: Int) throws(ProtobufError) -> JSONValue? {
        guard message.name.hasPrefix("google.protobuf.") else { return nil }
        switch message.name.dropFirst("google.protobuf.".count) {
        case "Timestamp":
            let (seconds, nanoseconds) = try seconds(bytes)
            guard ProtobufTime.timestamps.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
                throw ProtobufError("the time is outside the years 1 to 9999")
            }
            return .string(ProtobufTime.text(timestamp: seconds, nanoseconds))
        case "Duration":
            let (seconds, nanoseconds) = try seconds(bytes)
            guard ProtobufTime.durations.contains(seconds), abs(Int64(nanoseconds)) < 1_000_000_000 else {
                throw ProtobufError("the duration is longer than 10,000 years")
            }
            return .string(ProtobufTime.text(duration: seconds, nanoseconds))
        case "FieldMask":
            var paths: [String] = []
            var reader = try ProtobufReader(bytes)
            while let field = try reader.next() {
                if case (1, .bytes(let path)) = field { paths.append(Self.camelCase(String(decoding: path, as: UTF8.self))) }
            }
            return .string(paths.joined(separator: ","))
        case "Struct": return try members(bytes, of: message, depth).first { $0.key == "fields" }?.value ?? .object([])
        case "ListValue": return try members(bytes, of: message, depth).first { $0.key == "values" }?.value ?? .array([])
        case "Value": return try members(bytes, of: message, depth).first { !$0.key.hasPrefix("#") }?.value ?? .null
        case "Any": return try any(bytes, depth)
        case "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value", "BoolValue", "StringValue", "BytesValue":
            return try members(bytes, of: message, depth).first { $0.key == "value" }?.value
        default: return nil
        }
    }

    /// The path in JSON for one of names in a `.proto` file: `order_id` becomes `orderId`.
    private static func camelCase(_ path: String) -> String {
        var isAfterLine = false
        return path.reduce(into: "") { result, letter in
            if letter != "_" { result += isAfterLine ? letter.uppercased() : "\(letter)" }
            isAfterLine = letter == "_"
        }
    }

    private func seconds(_ bytes: ArraySlice<UInt8>) throws(ProtobufError) -> (Int64, Int32) {
        var (seconds, nanoseconds) = (Int64(0), Int32(0))
        var reader = try ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field {
            case (1, .varint(let value)): seconds = Int64(bitPattern: value)
            case (2, .varint(let value)): nanoseconds = Int32(truncatingIfNeeded: value)
            default: break
            }
        }
        return (seconds, nanoseconds)
    }

    /// The JSON of a message of any type: its type as `@type` and its members, or `value` for a type with a JSON form of its own.
    ///
    /// A type that the schema does not have is displayed as its bytes.
    func any(_ bytes: ArraySlice<UInt8>, _ depth: Int) throws(ProtobufError) -> JSONValue {
        var (url, content) = ("", ArraySlice<UInt8>())
        var reader = try ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field {
            case (1, .bytes(let text)): url = String(decoding: text, as: UTF8.self)
            case (2, .bytes(let value)): content = value
            default: break
            }
        }
        let name = String(url.split(separator: "/").last ?? "")
        let type = JSONValue.Member("@type", .string(url))
        guard schema.messages[name] != nil else {
            return url.isEmpty ? .object([]) : .object([type, .init("value", .string(Self.base64(content)))])
        }
        let value = try json(content, as: name, depth: depth + 1)
        if case .object(let members) = value, name != "google.protobuf.Struct", name != "google.protobuf.Value" { return .object([type] + members) }
        return .object([type, .init("value", value)])
    }
}
