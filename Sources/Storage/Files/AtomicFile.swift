internal import Foundation
internal import Model

/// Writing a file so that a reader sees the old bytes or the new ones, never half of them.
enum AtomicFile {
    /// Replaces the file at `path`, keeping its mode; a link is followed, so that it stays a link.
    ///
    /// - Parameters:
    ///   - newMode: the mode of a file that was not there; that of any new file of the person where nil.
    ///   - mode: the mode in any case, for what nobody else may read.
    ///   - check: called last before the file is replaced; where it throws, the file stays as it is.
    static func write(
        _ bytes: [UInt8], to path: String, newMode: mode_t? = nil, mode: mode_t? = nil, unless check: () throws(WorkspaceError) -> Void = {}
    ) throws(WorkspaceError) {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var information = stat()
        let mode = mode ?? (stat(path, &information) == 0 ? information.st_mode & 0o7777 : newMode)
        let temporary = try writeTemporary(bytes, beside: path, mode: mode)
        do throws(WorkspaceError) { try check() } catch { throw discard(temporary, error) }
        guard rename(temporary, path) == 0 else { throw discard(temporary, failure(path)) }
        try syncFolder(of: path)
    }

    /// Writes a file that must not be there yet.
    static func create(_ bytes: [UInt8], at path: String) throws(WorkspaceError) {
        let temporary = try writeTemporary(bytes, beside: path, mode: nil)
        // A hard link, unlike a rename, fails when the name is taken.
        if link(temporary, path) == 0 {
            unlink(temporary)
        } else if errno == EEXIST {
            throw discard(temporary, WorkspaceError(.exists, file: path, "the file is there already; choose another name"))
        } else {
            try occupy(path, with: temporary)
        }
        try syncFolder(of: path)
    }

    /// For file systems without hard links: the name is taken by an empty file first, which fails as well when it is taken.
    private static func occupy(_ path: String, with temporary: String) throws(WorkspaceError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw discard(temporary, failure(path)) }
        close(descriptor)
        guard rename(temporary, path) == 0 else { throw discard(temporary, failure(path)) }
    }

    /// A file beside `path` with the bytes on disk; without a mode it gets that of any new file of the person.
    private static func writeTemporary(_ bytes: [UInt8], beside path: String, mode: mode_t?) throws(WorkspaceError) -> String {
        let temporary = FilePath.temporary(beside: path)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw discard(temporary, failure(path)) }
            offset += count
        }
        if let mode, fchmod(descriptor, mode) != 0 { throw discard(temporary, failure(path)) }
        guard fsync(descriptor) == 0 else { throw discard(temporary, failure(path)) }
        return temporary
    }

    private static func syncFolder(of path: String) throws(WorkspaceError) {
        let descriptor = open(FilePath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        // Some file systems cannot sync a folder; the file itself is on disk by then.
        fsync(descriptor)
        close(descriptor)
    }

    private static func discard(_ temporary: String, _ error: WorkspaceError) -> WorkspaceError {
        unlink(temporary)
        return error
    }

    private static func failure(_ path: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "it cannot be written: \(String(cString: strerror(errno)))")
    }
}
