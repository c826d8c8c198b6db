public import SortieHTTP

/// Compiles `.proto` files, such as by running `protoc`; the library itself starts no programs.
public protocol ProtobufCompiler: Sendable {
    /// The `FileDescriptorSet` of a file and all its imports.
    ///
    /// - Parameters:
    ///   - file: The absolute path of the `.proto` file.
    ///   - folder: The folder from which imports are resolved, besides that of the file.
    /// - Throws: `fileUnreadable` with the message of the compiler for a file that it rejects.
    func descriptorSet(of file: String, in folder: String) async throws(NetworkError) -> [UInt8]
}
