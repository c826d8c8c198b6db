internal import Glibc
internal import SortieBase
package import SortieHTTP

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

    private func unreadable(_ code: Int32) -> NetworkError {
        NetworkError(.fileUnreadable, "the file \(path) cannot be read: \(String(cString: strerror(code)).lowercased())")
    }

    /// The bytes of the file, up to one more than the limit.
    private func content() throws(NetworkError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.sizeLimit {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
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
            if bytes.count > Self.sizeLimit { throw NetworkError(.fileUnreadable, "\(path) is too large for a set of descriptors") }
        }
        do throws(ProtobufError) { return try ProtobufSchema(descriptorSet: bytes) } catch {
            throw NetworkError(
                .fileUnreadable, "\(path): \(error)",
                hint: "name a .proto file, or a set of descriptors with all imports, as protoc writes it")
        }
    }
}
