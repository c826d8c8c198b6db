internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage

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
                    hint: "--trust permits it for one command")
            }
            for name in ProtobufImports.names(in: try text(of: path, size: &size)) {
                // The compiler would open a file whose name is not the one that is compared here.
                guard !name.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" }) else {
                    throw NetworkError(.fileUnreadable, "\(path) imports a file whose name is not UTF-8 text")
                }
                // The compiler knows the files of google/protobuf, and reports a file that is missing.
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
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: RealPath.of(path))
            // Reading a device or a pipe may not end.
            guard attributes[.type] as? FileAttributeType == .typeRegular else { throw NetworkError(.fileUnreadable, "\(path) is not a file") }
            size += attributes[.size] as? Int ?? 0
            guard size <= Self.sizeLimit else {
                let limit = ByteCount(Int64(Self.sizeLimit)).text
                throw NetworkError(.fileUnreadable, "\(path) and the files before it are larger than \(limit) together")
            }
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        } catch let error as NetworkError {
            throw error
        } catch {
            throw NetworkError(.fileUnreadable, "the file \(path) cannot be read: \(error.localizedDescription)")
        }
    }
}
