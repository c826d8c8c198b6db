internal import SortieHTTP

/// A `.proto` file in the syntax proto3, from which its descriptor is made.
struct ProtoFile: Sendable {
    /// A field of a message, numbered by its place in the list.
    struct Field: Sendable {
        let name: String
        let kind: ProtobufField.Kind
        /// The name of the message or enumeration in the same package; nil for other kinds.
        var type: String?
    }

    /// A method of a service.
    struct Method: Sendable {
        let name: String
        let input: String
        let output: String
        var isClientStreaming = false
        var isServerStreaming = false
    }

    let name: String
    let package: String
    /// The fields of each message.
    var messages: [(name: String, fields: [Field])] = []
    /// The values of each enumeration, numbered from 0.
    var enums: [(name: String, values: [String])] = []
    var service: (name: String, methods: [Method])

    /// The file as a `FileDescriptorProto`, with the field numbers of `google/protobuf/descriptor.proto`.
    var descriptor: [UInt8] {
        var file = ProtobufWriter()
        file.write(1, bytes: name.utf8)
        file.write(2, bytes: package.utf8)
        for message in messages {
            file.write(4, bytes: Self.entry(message.name, 2, message.fields.enumerated().map { descriptor($1, number: $0 + 1) }))
        }
        for item in enums {
            let values = item.values.enumerated().map { number, name in
                var value = ProtobufWriter()
                value.write(1, bytes: name.utf8)
                value.write(2, varint: UInt64(number))
                return value.bytes
            }
            file.write(5, bytes: Self.entry(item.name, 2, values))
        }
        file.write(6, bytes: Self.entry(service.name, 2, service.methods.map(descriptor)))
        file.write(12, bytes: "proto3".utf8)
        return file.bytes
    }

    /// Something with a name and parts.
    private static func entry(_ name: String, _ number: Int, _ parts: [[UInt8]]) -> [UInt8] {
        var entry = ProtobufWriter()
        entry.write(1, bytes: name.utf8)
        for part in parts { entry.write(number, bytes: part) }
        return entry.bytes
    }

    private func descriptor(_ field: Field, number: Int) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.write(1, bytes: field.name.utf8)
        writer.write(3, varint: UInt64(number))
        writer.write(4, varint: 1)
        writer.write(5, varint: UInt64(field.kind.rawValue))
        if let type = field.type { writer.write(6, bytes: ".\(package).\(type)".utf8) }
        return writer.bytes
    }

    private func descriptor(_ method: Method) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.write(1, bytes: method.name.utf8)
        writer.write(2, bytes: ".\(package).\(method.input)".utf8)
        writer.write(3, bytes: ".\(package).\(method.output)".utf8)
        if method.isClientStreaming { writer.write(5, varint: 1) }
        if method.isServerStreaming { writer.write(6, varint: 1) }
        return writer.bytes
    }
}
