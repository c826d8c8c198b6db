internal import Foundation
internal import SortieBase

/// The copy of the demo that the user can edit: `$XDG_DATA_HOME/sortie/demo`.
///
/// The program contains the files. A newer program replaces the files that the user did not change; what the user changed, added or deleted stays.
package enum DemoCopy {
    /// A file of the demo.
    package struct File: Sendable {
        /// The path relative to the workspace.
        package let path: String
        /// The content.
        package let bytes: [UInt8]

        /// Creates a file.
        package init(path: String, bytes: [UInt8]) {
            (self.path, self.bytes) = (path, bytes)
        }
    }

    /// The effect of ``update(with:at:)``.
    package enum Outcome: Hashable, Sendable {
        /// The copy is that of this program.
        case current
        /// The copy was created.
        case created
        /// The copy was that of another program; the files that the user changed and that also differ in this program were kept.
        case updated(kept: [String])
    }

    /// The path of the copy, which may not exist yet.
    package static func path(_ folders: UserFolders) -> String { DataFolder.path(folders) + "/demo" }

    /// The file with the digests of the files as the program wrote them, in the format of `sha256sum`.
    static let manifest = ".sortie-demo"

    /// The largest file of the copy that is compared, in bytes.
    private static let largest = 64 << 20

    /// Creates the copy, or updates one that another version of the program wrote.
    package static func update(with files: [File], at folder: String) throws(WorkspaceError) -> Outcome {
        try StateFolder.make(FilePath.folder(of: folder))
        let current = files.map { (path: $0.path, digest: digest($0.bytes)) }
        let text = current.map { "\($0.digest)  \($0.path)\n" }.joined()
        guard FileManager.default.fileExists(atPath: folder) else { return try create(files, manifest: text, at: folder) }
        let manifestPath = FilePath.joining(folder, manifest)
        // A manifest that cannot be read is the same as none: the files that differ are kept.
        let written = (try? WholeFile.bytes(at: manifestPath, limit: largest)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard written != text else { return .current }

        let before = digests(in: written)
        var kept: [String] = []
        for (file, digest) in zip(files, current.map(\.digest)) {
            switch state(of: file.path, in: folder, writtenAs: before[file.path]) {
            case .unchanged where before[file.path] != digest, .absent where before[file.path] == nil: try write(file, to: folder)
            case .changed(let own) where own != digest && before[file.path] != digest: kept.append(file.path)
            case .unchanged, .absent, .changed: break
            }
        }
        let present = Set(files.map(\.path))
        for path in before.keys where !present.contains(path) && FilePath.joining(folder, path).hasPrefix(folder + "/") {
            if case .unchanged = state(of: path, in: folder, writtenAs: before[path]) { unlink(FilePath.joining(folder, path)) }
        }
        try AtomicFile.write(Array(text.utf8), to: manifestPath)
        return .updated(kept: kept)
    }

    /// Writes all files beside the folder first, so that an interrupted start leaves no incomplete copy.
    private static func create(_ files: [File], manifest text: String, at folder: String) throws(WorkspaceError) -> Outcome {
        let temporary = FilePath.temporary(beside: folder)
        do {
            for file in files + [File(path: manifest, bytes: Array(text.utf8))] {
                let path = FilePath.joining(temporary, file.path)
                try FileManager.default.createDirectory(
                    atPath: FilePath.folder(of: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Data(file.bytes).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
            }
            if rename(temporary, folder) == 0 { return .created }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        } catch {
            let reason = error.systemReason
            do { try FileManager.default.removeItem(atPath: temporary) } catch {
                // What remains is in a separate folder, which nothing reads.
            }
            // Another program created the copy meanwhile.
            if FileManager.default.fileExists(atPath: FilePath.joining(folder, manifest)) { return try update(with: files, at: folder) }
            throw WorkspaceError(.unwritable, file: folder, "the demo cannot be copied there: \(reason)")
        }
    }

    private static func write(_ file: File, to folder: String) throws(WorkspaceError) {
        let path = FilePath.joining(folder, file.path)
        do { try FileManager.default.createDirectory(atPath: FilePath.folder(of: path), withIntermediateDirectories: true) } catch {
            throw WorkspaceError(.unwritable, file: path, "the folder cannot be created: \(error.systemReason)")
        }
        try AtomicFile.write(file.bytes, to: path)
    }

    /// The state of a file of the copy, compared with the one that the program wrote.
    private enum FileState {
        case absent, unchanged
        /// The user changed the file; its digest.
        case changed(String)
    }

    private static func state(of path: String, in folder: String, writtenAs digest: String?) -> FileState {
        do throws(WholeFile.Failure) {
            let own = self.digest(try WholeFile.bytes(at: FilePath.joining(folder, path), limit: largest))
            return own == digest ? .unchanged : .changed(own)
        } catch {
            // What is there instead of a file that can be read belongs to the user.
            return error == .system(ENOENT) ? .absent : .changed("")
        }
    }

    private static func digests(in manifest: String) -> [String: String] {
        let pairs = manifest.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? (String(parts[1].drop { $0 == " " }), String(parts[0])) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        HexDigits.text(HashFunction.sha256.digest(of: bytes))
    }
}
