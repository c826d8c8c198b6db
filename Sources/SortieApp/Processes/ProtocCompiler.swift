internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import Subprocess
internal import SystemPackage

/// Compiles `.proto` files with `protoc`, which reads files and runs nothing of them.
struct ProtocCompiler: ProtobufCompiler {
    /// The largest set of descriptors, in bytes.
    private static let limit = 64 << 20
    /// The longest time for a file and its imports.
    private static let deadline = Duration.seconds(30)

    let program: ProgramContext
    /// Whether an import outside of the folders may be read.
    var mayRead: @Sendable (String) -> Bool = { _ in true }

    func descriptorSet(of file: String, in folder: String) async throws(NetworkError) -> [UInt8] {
        let parent = SortieBase.FilePath.folder(of: file)
        // The first folder that contains a file determines the name by which other files import it.
        let folders = file.hasPrefix(folder + "/") && folder != parent ? [parent, folder] : [parent]
        // protoc reads `a:b` as two folders, and `a=b` as a folder with another name.
        if let folder = folders.first(where: { $0.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") } }) {
            throw NetworkError(
                .fileUnreadable, "protoc cannot read from the folder \(folder), because its name has “:” or “=”",
                hint: "rename the folder, or name a set of descriptors")
        }
        try await BlockingExecutor.shared.run { [mayRead] () throws(NetworkError) in
            try ProtoFiles(folders: folders, mayRead: mayRead).check(file)
        }
        let arguments = folders.map { "--proto_path=\($0)" } + ["--include_imports", "--descriptor_set_out=/dev/stdout", file]
        let result = await withDeadline(Self.deadline) { await run(arguments, file) }
        guard let result else {
            throw NetworkError(
                .fileUnreadable, "protoc did not compile \(file) within \(Self.deadline.components.seconds) seconds", hint: Self.otherSource)
        }
        return try result.get()
    }

    /// What to do where the compiler cannot cope with a file.
    private static let otherSource = "divide the file, name a set of descriptors instead, or use the reflection of the server"

    private func run(_ arguments: [String], _ file: String) async -> Result<[UInt8], NetworkError> {
        do {
            let result = try await Subprocess.run(
                .name("protoc"), arguments: Arguments(arguments), environment: program.childEnvironment, workingDirectory: program.childFolder,
                output: .bytes(limit: Self.limit), error: .string(limit: 64 << 10))
            // A file that is nested deeply or very large exhausts its stack or its memory.
            if case .signaled(let signal) = result.terminationStatus {
                return .failure(NetworkError(.fileUnreadable, "protoc crashed with signal \(signal) on \(file)", hint: Self.otherSource))
            }
            guard result.terminationStatus.isSuccess else {
                // A warning about the version of the syntax precedes the error.
                let lines = result.standardError.split(separator: "\n").filter { !$0.hasPrefix("[libprotobuf WARNING") }
                let problem = lines.prefix(5).joined(separator: "; ")
                let reason = problem.isEmpty ? "it ended with status \(result.terminationStatus.exitStatus)" : problem
                let needsKnownTypes = problem.contains("google/protobuf/")
                return .failure(
                    NetworkError(
                        .fileUnreadable, "protoc: \(reason)",
                        hint: needsKnownTypes ? "install the files of google/protobuf (Debian: libprotobuf-dev)" : nil))
            }
            return .success(result.standardOutput)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .failure(
                NetworkError(
                    .invalidOption, "protoc, which compiles .proto files, is not installed",
                    hint: "install it (Debian: protobuf-compiler), name a set of descriptors instead, or use the reflection of the server"))
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            let reason = "protoc writes more than 64 kB of errors, or 64 MB of descriptors, about \(file)"
            return .failure(NetworkError(.fileUnreadable, reason, hint: Self.otherSource))
        } catch {
            return .failure(NetworkError(.invalidOption, "protoc cannot be run: \(error)"))
        }
    }
}

/// The files that the compiler reads for a `.proto` file: the file and its imports.
///
/// An import is the name of a file below certain folders, where a link may lead anywhere.
struct ProtoFiles {
    /// The folders from which imports are resolved, in order.
    let folders: [String]
    /// Whether a file outside of the folders may be read.
    let mayRead: @Sendable (String) -> Bool

    /// The number of files of one schema.
    private static let limit = 2_000
    /// The largest size of all files together, in bytes.
    private static let sizeLimit = 64 << 20

    /// Rejects imports that lead out of the folders without permission, and those that are no files.
    func check(_ file: String) throws(NetworkError) {
        let roots = folders.map(RealPath.of)
        // Bytes are compared, because the system has different files for two spellings of a letter that are equal strings.
        let first = Array(file.utf8)
        var visited: Set<[UInt8]> = [first]
        var waiting = [file]
        var size = 0
        while let path = waiting.popLast() {
            let real = Array(RealPath.of(path).utf8)
            guard Array(path.utf8) == first || roots.contains(where: { real.starts(with: "\($0)/".utf8) }) || mayRead(path) else {
                throw NetworkError(
                    .fileUnreadable,
                    "\(file) imports \(path), which leads to \(String(decoding: real, as: UTF8.self)), outside of its folder, and the workspace is not permitted to read it",
                    remedy: .ofProgram(.unlistedUse))
            }
            for name in ProtobufImports.names(in: try text(of: path, size: &size)) {
                // The compiler would open a file whose name is not the one that is compared here.
                guard !name.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" }) else {
                    throw NetworkError(.fileUnreadable, "\(path) imports a file whose name is not UTF-8 text")
                }
                // The compiler has the files of google/protobuf, and reports a file that is missing.
                guard let found = folders.map({ FilePath.joining($0, name) }).first(where: { FileManager.default.fileExists(atPath: $0) }) else {
                    continue
                }
                guard visited.insert(Array(found.utf8)).inserted else { continue }
                guard visited.count <= Self.limit else { throw NetworkError(.fileUnreadable, "\(file) imports more than \(Self.limit) files") }
                waiting.append(found)
            }
        }
    }

    private func text(of path: String, size: inout Int) throws(NetworkError) -> String {
        do throws(WholeFile.Failure) {
            let bytes = try WholeFile.bytes(at: path, limit: Self.sizeLimit - size)
            size += bytes.count
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            guard case .tooLarge = error else { throw NetworkError(error, reading: path) }
            let limit = ByteCount(Int64(Self.sizeLimit)).text
            throw NetworkError(.fileUnreadable, "\(path) and the files before it are larger than \(limit) together")
        }
    }
}
