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
