internal import SortieBase

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
