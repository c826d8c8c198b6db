internal import Foundation
internal import SortieBase
internal import SortieStorage

/// Writes a file that the user named, in one way for all commands (`CONTRIBUTING.md`, rule 8).
///
/// | path | what happens |
/// |---|---|
/// | a regular file, or nothing | replaced completely or not at all; mode and owner stay |
/// | a link | followed; the link stays |
/// | a device, a pipe | written to |
/// | `/dev/stdout`, `/dev/fd/N` and links to them | written to the descriptor, also where it is a file |
/// | a folder, a socket | refused |
enum OutputFile {
    /// Writes a text in place of the file's content.
    static func write(_ text: String, to path: String, _ folders: UserFolders) throws {
        try write(BodyBytes(Array(text.utf8)), to: path, folders)
    }

    /// Writes a body of any size in place of the file's content.
    ///
    /// - Parameters:
    ///   - path: the path as typed; `~/` is the home folder.
    ///   - overwrites: whether an existing file is replaced.
    ///   - followsLinks: whether a link is followed instead of replaced; false for a path that the user did not type.
    /// - Returns: False where a file exists and was not changed.
    @discardableResult
    static func write(_ body: BodyBytes, to path: String, _ folders: UserFolders, overwrites: Bool = true, followsLinks: Bool = true) throws -> Bool {
        let place = folders.absolute(path)
        if followsLinks, let descriptor = ProtectedLocation.descriptor(of: place) {
            guard writeAll(body, to: descriptor) else { throw failure(path) }
            return true
        }
        let target = followsLinks ? RealPath.of(place) : place
        var status = stat()
        let isThere = lstat(target, &status) == 0
        let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
        if kind == S_IFDIR { throw CommandFailure(.file, "\(path) is a folder", hint: "name a file in it") }
        if kind == S_IFSOCK || !followsLinks && kind != S_IFREG && kind != S_IFLNK {
            throw CommandFailure(.file, "\(path) is \(kind == S_IFSOCK ? "a socket" : "not a regular file")", hint: "name another file")
        }
        guard kind == S_IFREG || kind == S_IFLNK else {
            try overwrite(body, target, shown: path)
            return true
        }
        if isThere, !overwrites { return false }
        let temporary = FilePath.temporary(beside: target)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            // In a folder that cannot be changed, a file may still be written.
            guard isThere, kind == S_IFREG, [EACCES, EPERM, EROFS].contains(errno) else { throw failure(path) }
            try overwrite(body, target, shown: path)
            return true
        }
        defer { close(descriptor) }
        do {
            guard writeAll(body, to: descriptor) else { throw failure(path) }
            if isThere, kind == S_IFREG {
                // As root, the file of another user stays theirs. The owner is set first, because setting it clears bits of the mode.
                if status.st_uid != geteuid() || status.st_gid != getegid() { _ = fchown(descriptor, status.st_uid, status.st_gid) }
                guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw failure(path) }
            }
            if overwrites {
                if rename(temporary, target) == 0 { return true }
                // A file that is a mount point, as in containers, cannot be replaced.
                guard errno == EBUSY else { throw failure(path) }
                unlink(temporary)
                try overwrite(body, target, shown: path)
                return true
            }
            let code = FileRename.withoutReplacing(temporary, target)
            // Another program created the file in the meantime.
            if code == EEXIST { unlink(temporary) }
            guard code == 0 || code == EEXIST else { throw failure(path, code) }
            return code == 0
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes a body into an existing private file.
    static func write(_ body: BodyBytes, into path: String) throws {
        try overwrite(body, path, shown: path)
    }

    /// Writes the received part of an interrupted body: beside the file, because a file with that name is complete; into a device or a pipe
    /// directly.
    ///
    /// An earlier incomplete body of the same file is replaced.
    ///
    /// - Returns: The path of the file.
    static func writeIncomplete(_ body: BodyBytes, of path: String, _ folders: UserFolders) throws -> String {
        let place = folders.absolute(path)
        var status = stat()
        let isFile = stat(place, &status) != 0 || status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR
        guard isFile, ProtectedLocation.descriptor(of: place) == nil else {
            try write(body, to: path, folders)
            return path
        }
        try write(body, to: path + ".partial", folders, followsLinks: false)
        return path + ".partial"
    }

    /// Writes into what is at the path.
    private static func overwrite(_ body: BodyBytes, _ place: String, shown path: String) throws {
        let descriptor = open(place, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard writeAll(body, to: descriptor) else { throw failure(path) }
    }

    /// Writes a body to a descriptor; false where it fails, with the reason in `errno`.
    private static func writeAll(_ body: BodyBytes, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < body.count {
            let end = min(offset + 4 << 20, body.count)
            let written = body.withUnsafeBytes(in: offset..<end) { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            offset += written
            body.releaseMemory()
        }
        return true
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> CommandFailure {
        CommandFailure(.file, "\(path) cannot be written: \(String(cString: strerror(code)).lowercased())")
    }
}
