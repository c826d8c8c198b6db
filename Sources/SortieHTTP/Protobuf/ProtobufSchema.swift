/// The message types, enumerations and services of some `.proto` files.
package struct ProtobufSchema: Hashable, Sendable {
    /// The message types by full name.
    package internal(set) var messages: [String: ProtobufMessageType] = [:]
    /// The enumerations by full name.
    package internal(set) var enums: [String: ProtobufEnum] = [:]
    /// The services by full name.
    package internal(set) var services: [String: ProtobufService] = [:]
    /// The names of the files.
    package internal(set) var files: Set<String> = []
    /// The names of the files that these files import.
    package internal(set) var imports: Set<String> = []

    /// Creates an empty schema.
    package init() {}

    /// Reads a `FileDescriptorSet`, as `protoc --include_imports --descriptor_set_out` writes it.
    ///
    /// - Throws: An error for other bytes.
    package init(descriptorSet bytes: [UInt8]) throws(ProtobufError) {
        var reader = try ProtobufReader(bytes[...])
        while let field = try reader.next() {
            guard field.number == 1, case .bytes(let file) = field.value else { throw ProtobufError("the file is not a set of descriptors") }
            try add(file: file)
        }
        if files.isEmpty { throw ProtobufError("the set of descriptors is empty") }
    }

    /// The imported files that are missing.
    package var missingFiles: [String] { imports.subtracting(files).sorted() }

    /// The message type with a full name.
    func message(_ name: String) throws(ProtobufError) -> ProtobufMessageType {
        guard let message = messages[name] else { throw ProtobufError("the schema has no message type \(name)") }
        return message
    }

    /// The values of an enumeration.
    func enumeration(_ name: String) throws(ProtobufError) -> ProtobufEnum {
        guard let value = enums[name] else { throw ProtobufError("the schema has no enumeration \(name)") }
        return value
    }
}

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

/// The types of `google/rpc/error_details.proto`, with which many servers explain a status; reflection seldom describes them.
extension ProtobufSchema {
    /// The types, and those that they use.
    static let errorDetails: ProtobufSchema = {
        var schema = ProtobufSchema()
        schema.add("google.protobuf.Duration", ["seconds: int64", "nanos: int32"])
        let package = "google.rpc."
        for (name, fields) in errorDetailFields { schema.add(package + name, fields) }
        return schema
    }()

    /// The types of the fields by message, in the order of their numbers, which begin with 1.
    ///
    /// `[TYPE]` is repeated, `{string}` is a map from strings to strings, and `.TYPE` is a message of the package `google.rpc`.
    private static let errorDetailFields: KeyValuePairs<String, [String]> = [
        "ErrorInfo": ["reason: string", "domain: string", "metadata: {string}"],
        "RetryInfo": ["retry_delay: google.protobuf.Duration"],
        "DebugInfo": ["stack_entries: [string]", "detail: string"],
        "QuotaFailure": ["violations: [.QuotaFailure.Violation]"],
        "QuotaFailure.Violation": [
            "subject: string", "description: string", "api_service: string", "quota_metric: string", "quota_id: string",
            "quota_dimensions: {string}", "quota_value: int64", "future_quota_value: int64",
        ],
        "PreconditionFailure": ["violations: [.PreconditionFailure.Violation]"],
        "PreconditionFailure.Violation": ["type: string", "subject: string", "description: string"],
        "BadRequest": ["field_violations: [.BadRequest.FieldViolation]"],
        "BadRequest.FieldViolation": ["field: string", "description: string", "reason: string", "localized_message: .LocalizedMessage"],
        "RequestInfo": ["request_id: string", "serving_data: string"],
        "ResourceInfo": ["resource_type: string", "resource_name: string", "owner: string", "description: string"],
        "Help": ["links: [.Help.Link]"],
        "Help.Link": ["description: string", "url: string"],
        "LocalizedMessage": ["locale: string", "message: string"],
    ]

    private mutating func add(_ name: String, _ fields: [String]) {
        var message = ProtobufMessageType()
        message.name = name
        for (index, text) in fields.enumerated() {
            let words = text.split(separator: ": ", maxSplits: 1).map(String.init)
            var field = ProtobufField()
            (field.name, field.number) = (words[0], index + 1)
            field.jsonName = Self.camelCase(field.name)
            var type = words[1]
            if type.hasPrefix("[") {
                field.isRepeated = true
                type = String(type.dropFirst().dropLast())
            }
            switch type {
            case "string": field.kind = .string
            case "int32": field.kind = .int32
            case "int64": field.kind = .int64
            case "{string}":
                (field.kind, field.isRepeated, field.typeName) = (.message, true, "\(name).\(field.name)Entry")
                add(field.typeName, ["key: string", "value: string"])
                messages[field.typeName]?.isMapEntry = true
            default: (field.kind, field.typeName) = (.message, type.hasPrefix(".") ? "google.rpc\(type)" : type)
            }
            // An empty value is not displayed, unlike those of other types: most of these fields are seldom used.
            field.hasPresence = !field.isRepeated
            message.fields.append(field)
        }
        messages[name] = message
    }
}

/// An enumeration.
package struct ProtobufEnum: Hashable, Sendable {
    /// A name and its number.
    package struct Value: Hashable, Sendable {
        package var name = ""
        package var number: Int32 = 0
    }

    /// The full name.
    package var name = ""
    /// The values in the order of the `.proto` file; several names may have one number.
    package var values: [Value] = []
}

/// A field of a message type.
package struct ProtobufField: Hashable, Sendable {
    /// The type of a value, numbered as in `google/protobuf/descriptor.proto`.
    package enum Kind: Int, Hashable, Sendable {
        case double = 1
        case float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes, uint32, enumeration, sfixed32, sfixed64, sint32,
            sint64

        /// The wire type of one value.
        var wireType: UInt64 {
            switch self {
            case .double, .fixed64, .sfixed64: 1
            case .float, .fixed32, .sfixed32: 5
            case .string, .bytes, .message: 2
            case .group: 3
            case .int64, .uint64, .int32, .bool, .uint32, .enumeration, .sint32, .sint64: 0
            }
        }

        /// Whether several values can be written as one field.
        var isPackable: Bool { wireType != 2 && wireType != 3 }

        /// The name in `.proto` files; for messages and enumerations a general one.
        package var name: String { self == .enumeration ? "enum" : "\(self)" }
    }

    /// The name in the `.proto` file.
    package var name = ""
    /// The name in JSON.
    package var jsonName = ""
    /// The number on the wire.
    package var number = 0
    /// The type of a value.
    package var kind = Kind.string
    /// The full name of the message or enumeration; empty for other kinds.
    package var typeName = ""
    /// Whether the field has any number of values.
    package var isRepeated = false
    /// Whether the field must have a value (proto2).
    package var isRequired = false
    /// Whether several numbers are written as one field.
    package var isPacked = false
    /// The group of fields of which at most one has a value; nil for none.
    package var oneof: Int?
    /// Whether an absent value differs from the default one.
    package var hasPresence = false
}

/// A message type: the structure of messages.
package struct ProtobufMessageType: Hashable, Sendable {
    /// The full name, such as `shop.Order`.
    package var name = ""
    /// The fields in the order of the `.proto` file.
    package var fields: [ProtobufField] = []
    /// Whether it is the entry of a map, with the fields `key` and `value`.
    package var isMapEntry = false

    /// The field with a name of the `.proto` file or of JSON.
    package func field(named name: String) -> ProtobufField? { fields.first { $0.jsonName == name || $0.name == name } }

    /// The field with a number.
    func field(_ number: Int) -> ProtobufField? { fields.first { $0.number == number } }
}

/// A gRPC service.
package struct ProtobufService: Hashable, Sendable {
    /// A method of a service.
    package struct Method: Hashable, Sendable {
        /// The name without that of the service.
        package var name = ""
        /// The full name of the request message.
        package var input = ""
        /// The full name of the response message.
        package var output = ""
        /// Whether the client sends any number of messages.
        package var isClientStreaming = false
        /// Whether the server sends any number of messages.
        package var isServerStreaming = false
    }

    /// The full name, such as `shop.Orders`.
    package var name = ""
    /// The methods in the order of the `.proto` file.
    package var methods: [Method] = []
}
