/// Reads the messages of `google/protobuf/descriptor.proto`, which describe `.proto` files.
///
/// Its field numbers are those of the code here. Editions are read as far as they change the wire format.
extension ProtobufSchema {
    /// What the file says about its fields, where the field itself says nothing.
    private struct Defaults {
        var isProto3 = false
        var isEdition = false
        var hasImplicitPresence = false
        var isDelimited = false
        var isExpanded = false
    }

    /// Adds a `FileDescriptorProto`.
    ///
    /// - Throws: An error for bytes that are not one.
    package mutating func add(file bytes: some Collection<UInt8>) throws(ProtobufError) {
        let bytes = Array(bytes)[...]
        var (name, package, defaults) = ("", "", Defaults())
        var reader = try ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field {
            case (1, .bytes(let text)): name = String(decoding: text, as: UTF8.self)
            case (2, .bytes(let text)): package = String(decoding: text, as: UTF8.self)
            case (8, .bytes(let options)): try Self.read(features: options, number: 50, into: &defaults)
            case (12, .bytes(let text)):
                let syntax = String(decoding: text, as: UTF8.self)
                defaults.isProto3 = syntax == "proto3"
                defaults.isEdition = syntax == "editions"
            default: break
            }
        }
        guard !name.isEmpty, files.insert(name).inserted else { return }
        let prefix = package.isEmpty ? "" : "\(package)."
        reader = try ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field {
            case (3, .bytes(let text)): imports.insert(String(decoding: text, as: UTF8.self))
            case (4, .bytes(let message)): try add(message: message, prefix, defaults, depth: 1)
            case (5, .bytes(let value)): try add(enum: value, prefix)
            case (6, .bytes(let service)): try add(service: service, prefix)
            default: break
            }
        }
    }

    private static func read(features options: ArraySlice<UInt8>, number: Int, into defaults: inout Defaults) throws(ProtobufError) {
        var reader = try ProtobufReader(options)
        while let field = try reader.next() {
            guard field.number == number, case .bytes(let features) = field.value else { continue }
            var inner = try ProtobufReader(features)
            while let feature = try inner.next() {
                switch feature {
                case (1, .varint(let value)): defaults.hasImplicitPresence = value == 2
                case (3, .varint(let value)): defaults.isExpanded = value == 2
                case (5, .varint(let value)): defaults.isDelimited = value == 2
                default: break
                }
            }
        }
    }

    private mutating func add(
        message bytes: ArraySlice<UInt8>, _ prefix: String, _ defaults: Defaults, depth: Int
    ) throws(ProtobufError) {
        var message = ProtobufMessageType()
        var reader = try ProtobufReader(bytes, depth: depth)
        while let field = try reader.next() {
            switch field {
            case (1, .bytes(let text)): message.name = prefix + String(decoding: text, as: UTF8.self)
            case (2, .bytes(let value)): message.fields.append(try Self.field(value, defaults))
            case (7, .bytes(let options)):
                var options = try ProtobufReader(options)
                while let option = try options.next() { if case (7, .varint(let value)) = option { message.isMapEntry = value != 0 } }
            default: break
            }
        }
        reader = try ProtobufReader(bytes, depth: depth)
        while let field = try reader.next() {
            switch field {
            case (3, .bytes(let nested)): try add(message: nested, "\(message.name).", defaults, depth: depth + 1)
            case (4, .bytes(let value)): try add(enum: value, "\(message.name).")
            default: break
            }
        }
        messages[message.name] = message
    }

    private static func field(_ bytes: ArraySlice<UInt8>, _ file: Defaults) throws(ProtobufError) -> ProtobufField {
        var field = ProtobufField()
        var (own, packed, isOptional) = (file, Bool?.none, false)
        var reader = try ProtobufReader(bytes)
        while let item = try reader.next() {
            switch item {
            case (1, .bytes(let text)): field.name = String(decoding: text, as: UTF8.self)
            case (3, .varint(let value)): field.number = Int(truncatingIfNeeded: value)
            case (4, .varint(let value)): (field.isRequired, field.isRepeated) = (value == 2, value == 3)
            case (5, .varint(let value)):
                guard let kind = Int(exactly: value).flatMap(ProtobufField.Kind.init) else {
                    throw ProtobufError("the schema has a field of the unknown type \(value)")
                }
                field.kind = kind
            case (6, .bytes(let text)): field.typeName = String(decoding: text.first == UInt8(ascii: ".") ? text.dropFirst() : text, as: UTF8.self)
            case (8, .bytes(let options)):
                try read(features: options, number: 21, into: &own)
                var options = try ProtobufReader(options)
                while let option = try options.next() { if case (2, .varint(let value)) = option { packed = value != 0 } }
            case (9, .varint(let value)): field.oneof = Int(truncatingIfNeeded: value)
            case (10, .bytes(let text)): field.jsonName = String(decoding: text, as: UTF8.self)
            case (17, .varint(let value)): isOptional = value != 0
            default: break
            }
        }
        if field.jsonName.isEmpty { field.jsonName = camelCase(field.name) }
        if field.kind == .message, file.isEdition, own.isDelimited { field.kind = .group }
        field.isPacked = field.isRepeated && field.kind.isPackable && (packed ?? (file.isProto3 || file.isEdition && !own.isExpanded))
        let isImplicit = file.isProto3 ? !isOptional && field.oneof == nil : file.isEdition && own.hasImplicitPresence && field.oneof == nil
        field.hasPresence = !field.isRepeated && (!isImplicit || field.kind == .message || field.kind == .group)
        // A field that is marked `optional` in proto3 is described as the only one of a oneof.
        if isOptional { field.oneof = nil }
        return field
    }

    /// The name in JSON for one in a `.proto` file: `order_id` becomes `orderId`.
    static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    private mutating func add(enum bytes: ArraySlice<UInt8>, _ prefix: String) throws(ProtobufError) {
        var value = ProtobufEnum()
        var reader = try ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field {
            case (1, .bytes(let text)): value.name = prefix + String(decoding: text, as: UTF8.self)
            case (2, .bytes(let entry)):
                var item = ProtobufEnum.Value()
                var inner = try ProtobufReader(entry)
                while let part = try inner.next() {
                    switch part {
                    case (1, .bytes(let text)): item.name = String(decoding: text, as: UTF8.self)
                    case (2, .varint(let number)): item.number = Int32(truncatingIfNeeded: number)
                    default: break
                    }
                }
                value.values.append(item)
            default: break
            }
        }
        enums[value.name] = value
    }

    private mutating func add(service bytes: ArraySlice<UInt8>, _ prefix: String) throws(ProtobufError) {
        func typeName(_ text: ArraySlice<UInt8>) -> String {
            String(decoding: text.first == UInt8(ascii: ".") ? text.dropFirst() : text, as: UTF8.self)
        }
        var service = ProtobufService()
        var reader = try ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field {
            case (1, .bytes(let text)): service.name = prefix + String(decoding: text, as: UTF8.self)
            case (2, .bytes(let entry)):
                var method = ProtobufService.Method()
                var inner = try ProtobufReader(entry)
                while let part = try inner.next() {
                    switch part {
                    case (1, .bytes(let text)): method.name = String(decoding: text, as: UTF8.self)
                    case (2, .bytes(let text)): method.input = typeName(text)
                    case (3, .bytes(let text)): method.output = typeName(text)
                    case (5, .varint(let value)): method.isClientStreaming = value != 0
                    case (6, .varint(let value)): method.isServerStreaming = value != 0
                    default: break
                    }
                }
                service.methods.append(method)
            default: break
            }
        }
        services[service.name] = service
    }
}
