internal import SortieHTTP

/// `grpc.reflection.v1.ServerReflection`, which describes the services of the demo.
struct ReflectionService: Sendable {
    /// The files that define the services.
    let files: [ProtoFile]

    var methods: [GRPCMethod] {
        ServerReflection.methods.map { path in
            GRPCMethod(path: "/\(path)") { messages, send in
                for message in messages { try await send(try reply(to: message)) }
            }
        }
    }

    /// The response to a `ServerReflectionRequest`, which the response repeats.
    private func reply(to message: ArraySlice<UInt8>) throws -> [UInt8] {
        var reply = ProtobufWriter()
        reply.write(2, bytes: message)
        var reader = try ProtobufReader(message)
        while let field = try reader.next() {
            guard case .bytes(let content) = field.value else { continue }
            let text = String(decoding: content, as: UTF8.self)
            switch field.number {
            case 3: write(files.first { $0.name == text }, to: &reply)
            case 4: write(files.first { $0.symbols.contains(text) }, to: &reply)
            case 7: write(services: files.map { "\($0.package).\($0.service.name)" } + ServerReflection.methods.map(\.service), to: &reply)
            default: continue
            }
            return reply.bytes
        }
        throw GRPCFailure(code: .unimplemented, message: "the demo describes files, symbols and services")
    }

    private func write(_ file: ProtoFile?, to reply: inout ProtobufWriter) {
        var content = ProtobufWriter()
        if let file {
            content.write(1, bytes: file.descriptor)
            return reply.write(4, bytes: content.bytes)
        }
        content.write(1, varint: UInt64(GRPCFailure.Code.notFound.rawValue))
        content.write(2, bytes: "the demo has no such file or symbol".utf8)
        reply.write(7, bytes: content.bytes)
    }

    private func write(services: [String], to reply: inout ProtobufWriter) {
        var list = ProtobufWriter()
        for service in services {
            var item = ProtobufWriter()
            item.write(1, bytes: service.utf8)
            list.write(1, bytes: item.bytes)
        }
        reply.write(6, bytes: list.bytes)
    }
}

extension ProtoFile {
    /// The full names that the file defines.
    fileprivate var symbols: [String] {
        let names = messages.map(\.name) + enums.map(\.name) + [service.name] + service.methods.map { "\(service.name).\($0.name)" }
        return names.map { "\(package).\($0)" }
    }
}
