internal import CLinux
internal import Foundation
internal import SortieBase
internal import SortieStorage

/// Writes a body of any size to a file, completely or not at all (`CONTRIBUTING.md`, rule 8).
enum BodyFile {
    /// Writes the body; a replaced file keeps its mode.
    ///
    /// - Parameters:
    ///   - path: the path as typed; `~/` is the home folder.
    ///   - overwrites: whether an existing file is replaced.
    ///   - followsLinks: whether a link is followed instead of replaced; false for a path that the user did not type.
    /// - Returns: False where a file exists and was not changed.
    @discardableResult
    static func write(_ body: BodyBytes, to path: String, _ folders: UserFolders, overwrites: Bool = true, followsLinks: Bool = true) throws -> Bool {
        let place = folders.absolute(path)
        // A device or a pipe is written to, not replaced. A link to one, such as /dev/stdout, may have a target that cannot be resolved.
        if followsLinks, isSpecial(place) {
            try writeChunks(of: body, to: place, flags: O_WRONLY, shown: path)
            return true
        }
        let named = URL(fileURLWithPath: place)
        let target = followsLinks ? named.resolvingSymlinksInPath() : named
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(.file, "\(path) is a folder", hint: "name a file in it")
        }
        var status = stat()
        let isThere = lstat(target.path, &status) == 0
        if isThere, !overwrites { return false }
        let temporary = FilePath.temporary(beside: target.path)
        do {
            try writeChunks(of: body, to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL, shown: path)
            if isThere, status.st_mode & S_IFMT == S_IFREG, chmod(temporary, status.st_mode & 0o7777) != 0 { throw failure(path) }
            if overwrites {
                guard rename(temporary, target.path) == 0 else { throw failure(path) }
            } else if clinux_rename_new(temporary, target.path) != 0 {
                // Another program created the file in the meantime.
                if errno == EEXIST {
                    unlink(temporary)
                    return false
                }
                // The file system does not support such a rename, so only the check above applies.
                guard errno == EINVAL || errno == ENOSYS, rename(temporary, target.path) == 0 else { throw failure(path) }
            }
            return true
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes a body into an existing private file.
    static func write(_ body: BodyBytes, into path: String) throws {
        try writeChunks(of: body, to: path, flags: O_WRONLY, shown: path)
    }

    /// Writes the received part of an interrupted body: beside the file, because a file with that name is complete; into a device or a pipe
    /// directly.
    ///
    /// An earlier incomplete body of the same file is replaced.
    ///
    /// - Returns: The path of the file.
    static func writeIncomplete(_ body: BodyBytes, of path: String, _ folders: UserFolders) throws -> String {
        if isSpecial(folders.absolute(path)) {
            try write(body, to: path, folders)
            return path
        }
        let place = path + ".partial"
        try write(body, to: place, folders, followsLinks: false)
        return place
    }

    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    private static func writeChunks(of body: BodyBytes, to place: String, flags: Int32, shown path: String) throws {
        let descriptor = open(place, flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var offset = 0
        while offset < body.count {
            let end = min(offset + 4 << 20, body.count)
            let written = body.withUnsafeBytes(in: offset..<end) { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(path) }
            offset += written
            body.releaseMemory()
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.file, "\(path) cannot be written: \(String(cString: strerror(errno)).lowercased())")
    }
}
