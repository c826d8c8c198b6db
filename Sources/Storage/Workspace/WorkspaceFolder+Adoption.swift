internal import Foundation
internal import SortieBase
package import WorkspaceModel

extension WorkspaceFolder {
    /// The maximum size in bytes of a file that is copied from another workspace.
    private static let largestCopy = 256 << 20

    /// Saves an endpoint of another workspace as a new one, with copies of the files of that workspace that it names.
    ///
    /// These are the files of its body and its examples, its schema, its proto file and the programs of its hooks. The copies are beside the new file; files outside of that
    /// workspace stay where they are.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint with its target in this workspace.
    ///   - folder: The absolute folder of its file in the other workspace.
    ///   - other: The folder of the other workspace.
    /// - Throws: A ``WorkspaceError``, in which case nothing was written.
    package func save(_ endpoint: Endpoint, movedFrom folder: String, of other: String) throws(WorkspaceError) -> Endpoint {
        var (moved, copies) = (endpoint, FileCopies(from: other, to: FilePath.folder(of: FilePath.joining(path, endpoint.target))))
        switch moved.body {
        case .file(let file, let type): moved.body = .file(path: copies.path(of: FilePath.joining(folder, file)) ?? file, contentType: type)
        case .multipart(var parts):
            for index in parts.indices where parts[index].isFile {
                parts[index].value = copies.path(of: FilePath.joining(folder, parts[index].value)) ?? parts[index].value
            }
            moved.body = .multipart(parts)
        case .none, .json, .plist, .text, .form, .graphQL: break
        }
        /// - Parameter base: The absolute folder to which the new path is relative.
        func copied(_ file: String, from folder: String, to base: String) -> String {
            copies.path(of: FilePath.joining(folder, file)).map { FilePath.relative($0, to: base, within: path) } ?? file
        }
        if let proto = moved.grpc?.proto { moved.grpc?.proto = copied(proto, from: folder, to: copies.target) }
        if case .file(let file)? = moved.expectation?.schema { moved.expectation?.schema = .file(copied(file, from: folder, to: copies.target)) }
        for index in moved.examples.indices {
            guard case .file(let file, let type) = moved.examples[index].response.body else { continue }
            moved.examples[index].response.body = .file(path: copied(file, from: folder, to: copies.target), contentType: type)
        }
        for index in moved.hooks.indices {
            // The paths of programs and their arguments are relative to the workspace.
            moved.hooks[index].command = moved.hooks[index].command.map { word in
                let new = copied(word, from: other, to: path)
                return new.contains("/") || new == word ? new : "./\(new)"
            }
        }
        let edit = endpoint.editedBodyFile
        moved.bodyFileEdit = nil
        var written: [String] = []
        do throws(WorkspaceError) {
            for (file, new) in copies.paths.sorted(by: { $0.key < $1.key }) {
                let bytes = try edit?.path == file ? Array((edit?.text ?? "").utf8) : WorkspaceFile.bytes(at: file, limit: Self.largestCopy)
                let isProgram = FileManager.default.isExecutableFile(atPath: file)
                try WritableFile(new, in: path, name: new).holding(createsFolders: true) { place throws(WorkspaceError) in
                    try AtomicFile.create(bytes, at: place, mode: isProgram ? 0o700 : nil)
                }
                written.append(new)
            }
            return try save(moved, replacing: nil)
        } catch {
            // The last file was written as well where only the disk did not confirm it.
            if error.code == .unsynced { written.append(FilePath.joining(path, error.file)) }
            for file in written { unlink(file) }
            throw error
        }
    }

    /// The files of a workspace that are copied to a folder, with their new names.
    private struct FileCopies {
        private let walk: FolderWalk
        let target: String
        /// The new absolute paths by the present ones.
        private(set) var paths: [String: String] = [:]

        init(from root: String, to target: String) {
            (self.target, walk) = (target, FolderWalk(root: root))
        }

        /// The new path of a file at an absolute path; nil for one outside of the workspace, and where there is none.
        mutating func path(of file: String) -> String? {
            if let known = paths[file] { return known }
            guard RealPath.isFile(file), walk.isInside(path: file) else { return nil }
            let name = FilePath.name(of: file)
            let stem = name.prefix { $0 != "." }
            var (new, number) = (FilePath.joining(target, name), 1)
            while FileManager.default.fileExists(atPath: new) || paths.values.contains(new) {
                number += 1
                new = FilePath.joining(target, "\(stem)-\(number)\(name.dropFirst(stem.count))")
            }
            paths[file] = new
            return new
        }
    }
}
