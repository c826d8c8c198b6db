internal import Foundation
package import SortieBase
package import WorkspaceModel

/// Reads the source of an import, and files in its folder.
package struct ImportFolder: Sendable {
    /// The size in bytes up to which a source is in memory as a whole, where its format can be read in pieces.
    static let largestWhole = 16 << 20
    /// The largest other file in bytes.
    static let largestFile = 64 << 20

    /// The absolute folder.
    package let path: String
    private let folders: UserFolders

    /// Creates a reader for a folder.
    package init(path: String, _ folders: UserFolders) {
        self.path = FilePath.joining(folders.current, path)
        self.folders = folders
    }

    /// The bytes of the source itself.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` with the reason, before anything is read of a source that is too large.
    package static func bytes(of path: String) throws(WorkspaceError) -> [UInt8] {
        try WorkspaceFile.bytes(at: path, limit: WorkspaceFile.largestSource, advice: advice)
    }

    /// Requires that a source without a size, such as standard input, is at most as large as a file may be.
    package static func requireSize(of bytes: [UInt8], from name: String) throws(WorkspaceError) {
        guard bytes.count <= WorkspaceFile.largestSource else {
            throw WorkspaceError(.unreadable, file: name, "it has more than \(WorkspaceFile.largestSource >> 20) MiB; \(advice)")
        }
    }

    private static let advice = "split it, or remove long examples and descriptions; only a HAR file that is read by its path may be larger"

    /// The beginning of a source that is larger than ``largestWhole``, and a reader for its pieces; nil for a smaller one.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` with the reason.
    package static func pieces(
        of path: String
    ) throws(WorkspaceError) -> (start: [UInt8], next: @Sendable (_ offset: Int) throws(WorkspaceError) -> [UInt8])? {
        // Non-blocking, so that a FIFO does not block the program. Reading the whole file names the reason why it cannot be read.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let size: UInt64
        do { size = try file.seekToEnd() } catch { return nil }
        guard size > UInt64(largestWhole) else { return nil }
        @Sendable func piece(at offset: Int) throws(WorkspaceError) -> [UInt8] {
            do {
                try file.seek(toOffset: UInt64(offset))
                return Array(try file.read(upToCount: 1 << 20) ?? Data())
            } catch {
                throw WorkspaceError(.unreadable, file: path, "it cannot be read: \(error.systemReason)")
            }
        }
        return (try piece(at: 0), piece)
    }

    /// Whether an absolute path leads to a place in the folder, with all links resolved.
    package func contains(_ path: String) -> Bool { FolderWalk(root: self.path).isInside(path: path) }

    /// The bytes of a file by its relative path; nil where there is none, where it is too large, and where a link leads out of the folder.
    package func bytes(of relative: String) -> [UInt8]? {
        let file = FilePath.joining(path, relative)
        guard contains(file), ProtectedLocation(file, .reading, folders) == nil else { return nil }
        do { return try WorkspaceFile.bytes(at: file, limit: Self.largestFile) } catch {
            // The importer reports that the content is not known.
            return nil
        }
    }

    /// The relative paths of all files below the folder, sorted, without hidden ones, installed packages, protected places and links to folders.
    ///
    /// - Parameter limit: The number of paths from which on no further folder is read; those near the folder come first.
    /// - Returns: The paths, and why some folders were not read.
    package func paths(limit: Int = .max) -> (paths: [String], problems: [Diagnostic]) {
        var result: [String] = []
        var problems: [Diagnostic] = []
        var folders = [""]
        var next = 0
        while result.count < limit, next < folders.count {
            let folder = folders[next]
            next += 1
            var walk = FolderWalk(root: path)
            for name in walk.names(in: folder.isEmpty ? "." : folder) {
                let relative = folder.isEmpty ? name : "\(folder)/\(name)"
                guard walk.isInside(path: FilePath.joining(path, relative)) else { continue }
                guard walk.isFolder(relative) else {
                    result.append(relative)
                    continue
                }
                guard name != "node_modules", ProtectedLocation(FilePath.joining(path, relative), .reading, self.folders) == nil else { continue }
                let isLink = RealPath.of(FilePath.joining(path, relative)) != FilePath.joining(RealPath.of(path), relative)
                if !isLink { folders.append(relative) }
            }
            problems += walk.problems
        }
        return (result.sorted(), problems)
    }
}

/// What identifies a source, so that a later import of it updates the files of an earlier one.
package struct ImportIdentity: Hashable, Sendable {
    /// The name of the format.
    package var format: String
    /// The name of the file; empty where the items identify themselves, as those of standard input do.
    package var name: String

    /// Creates an identity.
    package init(format: String, name: String) {
        (self.format, self.name) = (format, name)
    }
}

/// The state of a folder before an import: its workspace, the files of earlier imports, and the names in use.
package struct ImportTarget: Sendable {
    /// The folder.
    package let folder: WorkspaceFolder
    /// The source of the import.
    let source: ImportIdentity
    /// The workspace in the folder; nil where there is none yet.
    package let workspace: Workspace?
    /// The paths of files without the ending that an earlier import of the same source wrote, by the identity of the item.
    package let known: [String: String]
    /// The relative paths of all files and folders.
    package let taken: [String]

    /// Reads the state of a folder, which need not exist.
    ///
    /// - Parameter isForced: Whether the folder may be a protected location.
    /// - Throws: ``WorkspaceError/Code/unreadable`` where a `workspace.yaml` cannot be used.
    package init(path: String, source: ImportIdentity, _ folders: UserFolders, isForced: Bool = false) throws(WorkspaceError) {
        folder = WorkspaceFolder(path: path, folders, isForced: isForced)
        self.source = source
        let hasSettings = FileManager.default.fileExists(atPath: FilePath.joining(folder.path, "workspace.yaml"))
        workspace = hasSettings ? try folder.load() : nil
        if let problem = workspace?.unreadable.first(where: { $0.content == .workspace })?.problem {
            throw WorkspaceError(.unreadable, file: folder.path, "correct workspace.yaml before importing: \(problem)")
        }
        var known: [String: String] = [:]
        for (file, entry) in try ImportRecord.read(in: folder)[source] {
            if let item = entry.item { known[item] = FilePath.yamlStem(file) ?? file }
        }
        self.known = known
        var taken: [String] = []
        if FileManager.default.fileExists(atPath: folder.path) {
            var walk = FolderWalk(root: folder.path)
            for name in walk.names(in: ".") {
                taken.append(name)
                // The names in a folder that an import may extend.
                if walk.isFolder(name), walk.isInside(path: FilePath.joining(folder.path, name)) { taken += walk.yamlFiles(in: name) }
            }
        }
        self.taken = taken
    }
}
