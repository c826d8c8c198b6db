/// The messages of `grpc.reflection.v1.ServerReflection`, with which a server describes its own services.
package enum ServerReflection {
    /// The method of each version, the newest first.
    package static let methods = ["v1", "v1alpha"].compactMap { GRPCMethodPath("grpc.reflection.\($0).ServerReflection/ServerReflectionInfo") }

    /// A question to the server.
    package enum Query: Hashable, Sendable {
        /// The names of the services.
        case services
        /// The file that defines a service, a message or an enumeration.
        case symbol(String)
        /// The file with a name.
        case file(String)
    }

    /// A response to a question.
    package enum Reply: Hashable, Sendable {
        /// Descriptors of files.
        case files([[UInt8]])
        /// The names of the services.
        case services([String])
        /// The question has no other response; a status code with its message.
        case refused(GRPCStatus)
    }

    /// The message of a question.
    package static func message(_ query: Query) -> [UInt8] {
        var writer = ProtobufWriter()
        switch query {
        case .services: writer.write(7, bytes: Array("*".utf8))
        case .symbol(let name): writer.write(4, bytes: Array(name.utf8))
        case .file(let name): writer.write(3, bytes: Array(name.utf8))
        }
        return writer.bytes
    }

    /// A `FileDescriptorSet` of some files.
    package static func descriptorSet(_ files: [[UInt8]]) -> [UInt8] {
        var writer = ProtobufWriter()
        for file in files { writer.write(1, bytes: file) }
        return writer.bytes
    }

    /// Reads a response message.
    ///
    /// - Throws: An error for bytes that are none.
    package static func reply(_ message: ArraySlice<UInt8>) throws(ProtobufError) -> Reply {
        var reader = try ProtobufReader(message)
        while let field = try reader.next() {
            switch field {
            case (4, .bytes(let content)):
                var files: [[UInt8]] = []
                var inner = try ProtobufReader(content)
                while let item = try inner.next() { if case (1, .bytes(let file)) = item { files.append(Array(file)) } }
                return .files(files)
            case (6, .bytes(let content)):
                var names: [String] = []
                var inner = try ProtobufReader(content)
                while let item = try inner.next() {
                    guard case (1, .bytes(let service)) = item else { continue }
                    var name = try ProtobufReader(service)
                    while let part = try name.next() { if case (1, .bytes(let text)) = part { names.append(String(decoding: text, as: UTF8.self)) } }
                }
                return .services(names)
            case (7, .bytes(let content)):
                var (code, text) = (2, "")
                var inner = try ProtobufReader(content)
                while let item = try inner.next() {
                    switch item {
                    case (1, .varint(let value)): code = Int(Int32(truncatingIfNeeded: value))
                    case (2, .bytes(let bytes)): text = String(decoding: bytes, as: UTF8.self)
                    default: break
                    }
                }
                return .refused(GRPCStatus(code: code, message: text))
            default: continue
            }
        }
        throw ProtobufError("the server responded to a question about its services with an empty message")
    }
}

extension ProtobufSchema {
    /// The method with a name such as `shop.Orders/List` or `shop.Orders.List`.
    ///
    /// - Throws: An error that names what is known.
    package func method(_ path: GRPCMethodPath) throws(ProtobufError) -> ProtobufService.Method {
        guard let service = services[path.service] else {
            throw ProtobufError(
                Self.unknown("service", path.service, among: services.keys.sorted()))
        }
        guard let method = service.methods.first(where: { $0.name == path.method }) else {
            throw ProtobufError(Self.unknown("method", path.method, of: path.service, among: service.methods.map(\.name)))
        }
        return method
    }

    private static func unknown(_ what: String, _ name: String, of owner: String? = nil, among known: [String]) -> String {
        let owner = owner.map { "\($0) " } ?? "the schema "
        let list = known.prefix(8).joined(separator: ", ") + (known.count > 8 ? ", …" : "")
        return "\(owner)has no \(what) \(name)" + (known.isEmpty ? "" : "; there \(known.count == 1 ? "is" : "are") \(list)")
    }
}
