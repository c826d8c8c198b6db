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

    /// The name of the type for display, such as `repeated string`.
    package var typeText: String { (isRepeated ? "repeated " : "") + (typeName.isEmpty ? kind.name : typeName) }
}
