internal import CLinux
internal import Foundation
internal import SortieBase

/// A file below a folder that may be written, moved or deleted, with its path resolved once.
///
/// Saving, moving, deleting, importing and recording use it for every file below the folder of a workspace.
struct WritableFile {
    /// The absolute path, as it is named.
    let path: String
    /// The name of the file in errors.
    private let name: String
    /// The path and the folder with every link followed, that of the last name included.
    fileprivate let real: String
    fileprivate let root: String

    /// Resolves a path, which must stay in the folder; a link within the folder is permitted.
    ///
    /// Another program can exchange a part of the path for a link after that; ``holding(createsFolders:followsLink:_:)`` does not follow it.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - name: The name of the file in errors.
    init(_ path: String, in folder: String, name: String) throws(WorkspaceError) {
        (self.path, self.name, real, root) = (path, name, RealPath.of(path), RealPath.of(folder))
        guard FilePath.isIn(root, real), real != root else {
            let isPlain = FilePath.joining(root, FilePath.relative(path, to: folder, within: folder)) == real
            throw WorkspaceError(
                .outside, file: name,
                isPlain
                    ? "nothing was written: the path leads out of the workspace"
                    : "nothing was written: a link leads out of the workspace, to \(real); replace the link by a copy, or remove it")
        }
    }

    /// Writes, moves or deletes the file through a descriptor of its folder.
    ///
    /// The place leads to the folder that was checked, also where another program exchanges a part of the path for a link afterwards.
    ///
    /// - Parameters:
    ///   - createsFolders: Whether missing folders are created.
    ///   - followsLink: Whether the place is that to which a link leads, for the content of a file; false for moving and deleting the link itself.
    /// - Throws: The error of `change`, and ``WorkspaceError/Code/unwritable`` for the folder.
    func holding<Result>(
        createsFolders: Bool = false, followsLink: Bool = true, _ change: (AtomicFile.Place) throws(WorkspaceError) -> Result
    ) throws(WorkspaceError) -> Result {
        let real = followsLink ? real : FilePath.joining(RealPath.of(FilePath.folder(of: path)), FilePath.name(of: path))
        let descriptor = try Self.open(FilePath.folder(of: real), in: root, file: name, createsFolders: createsFolders)
        defer { close(descriptor) }
        // Without /proc, as in some containers, the path is used as it was checked.
        let held = "/proc/self/fd/\(descriptor)"
        return try change(.init(path: access(held, F_OK) == 0 ? "\(held)/\(FilePath.name(of: real))" : real, shown: path))
    }

    /// Opens a folder below another one, both without links in their paths.
    private static func open(_ folder: String, in root: String, file: String, createsFolders: Bool) throws(WorkspaceError) -> Int32 {
        let prefix = root == "/" ? root : root + "/"
        guard folder == root || folder.utf8.starts(with: prefix.utf8), let rest = String(folder.utf8.dropFirst(prefix.utf8.count)) else {
            throw WorkspaceError(.outside, file: file, "nothing was written: the path leads out of the workspace")
        }
        var descriptor = openFolder(root, in: AT_FDCWD)
        if descriptor < 0, createsFolders {
            do { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) } catch {
                throw WorkspaceError(.unwritable, file: root, "the folder cannot be created: \(error.systemReason)")
            }
            descriptor = openFolder(root, in: AT_FDCWD)
        }
        for part in FilePath.components(of: rest) where descriptor >= 0 {
            if createsFolders { _ = mkdirat(descriptor, String(part), 0o777) }
            let created = errno
            // No part is a link, because the path is resolved; one that has become a link is not followed.
            let next = openFolder(String(part), in: descriptor)
            let code = errno
            close(descriptor)
            guard next >= 0 else { throw unopened(file, createsFolders && code == ENOENT ? created : code, createsFolders: createsFolders) }
            descriptor = next
        }
        guard descriptor >= 0 else { throw unopened(file, errno, createsFolders: createsFolders) }
        return descriptor
    }

    /// A descriptor of a folder for the paths below it; -1 for anything else, also for a link.
    private static func openFolder(_ name: String, in folder: Int32) -> Int32 {
        openat(folder, name, clinux_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    private static func unopened(_ file: String, _ code: Int32, createsFolders: Bool) -> WorkspaceError {
        if code == ENOENT, !createsFolders { return WorkspaceError(.changedOnDisk, file: file, "the file was removed by another program") }
        return WorkspaceError(
            .unwritable, file: FilePath.folder(of: file),
            "the folder cannot be \(createsFolders ? "created" : "opened"): \(WriteRefusal(code: code))")
    }
}

extension WorkspaceFolder {
    /// A file of the workspace that may be written, moved or deleted.
    ///
    /// - Throws: For a path that leads out of the workspace, also through a link, and for a protected location.
    func writable(_ file: String) throws(WorkspaceError) -> WritableFile {
        let found = try WritableFile(FilePath.joining(path, file), in: path, name: file)
        if !isForced, let protected = ProtectedLocation(found.path, real: found.real, .writing, folders, within: found.root) {
            throw WorkspaceError(.protected, file: file, "nothing was written: \(protected.message)")
        }
        return found
    }
}
