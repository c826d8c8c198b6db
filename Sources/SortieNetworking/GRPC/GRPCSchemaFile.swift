internal import SortieBase
package import SortieHTTP

/// Identifies the source of a schema.
struct GRPCSchemaKey: Hashable {
    let source: GRPCCall.Schema
    /// The server and the service that it describes; empty for a file.
    let server: String
    let service: String
}

/// A file that describes services: a `.proto` file, or a set of descriptors.
package struct GRPCSchemaFile: Sendable {
    private let path: String
    private let folder: String

    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - folder: The folder below which its imports are.
    package init(path: String, folder: String) { (self.path, self.folder) = (path, folder) }

    /// The largest set of descriptors, in bytes.
    private static let sizeLimit = 64 << 20

    private func content() throws(NetworkError) -> [UInt8] {
        do throws(WholeFile.Failure) { return try WholeFile.bytes(at: path, limit: Self.sizeLimit) } catch {
            throw NetworkError(error, reading: path)
        }
    }

    /// Reads the schema; a `.proto` file is compiled.
    ///
    /// - Throws: `fileUnreadable` for a file that cannot be read or is invalid, `invalidOption` where a compiler is missing.
    package func schema(_ compiler: (any ProtobufCompiler)?) async throws(NetworkError) -> ProtobufSchema {
        let bytes: [UInt8]
        if path.hasSuffix(".proto") {
            guard let compiler else {
                throw NetworkError(
                    .invalidOption, "\(path) must be compiled, and no compiler of .proto files is set",
                    hint: "set protobufCompiler of the client's configuration, or give a set of descriptors")
            }
            bytes = try await compiler.descriptorSet(of: path, in: folder)
        } else {
            bytes = try await BlockingExecutor.shared.run { () throws(NetworkError) in try content() }
        }
        do throws(ProtobufError) { return try ProtobufSchema(descriptorSet: bytes) } catch {
            throw NetworkError(
                .fileUnreadable, "\(path): \(error)",
                hint: "name a .proto file, or a set of descriptors with all imports, as protoc writes it")
        }
    }
}

/// Compiles `.proto` files, such as by running `protoc`; the library itself starts no programs.
package protocol ProtobufCompiler: Sendable {
    /// The `FileDescriptorSet` of a file and all its imports.
    ///
    /// - Parameters:
    ///   - file: The absolute path of the `.proto` file.
    ///   - folder: The folder from which imports are resolved, besides that of the file.
    /// - Throws: `fileUnreadable` with the message of the compiler for a file that it rejects.
    func descriptorSet(of file: String, in folder: String) async throws(NetworkError) -> [UInt8]
}
