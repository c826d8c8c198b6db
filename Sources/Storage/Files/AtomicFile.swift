internal import Foundation
internal import SortieBase

/// Writes a file atomically: a reader sees the old bytes or the new ones.
enum AtomicFile {
    /// Replaces the file at `path` and preserves its mode; a symbolic link is followed and stays a link.
    ///
    /// - Parameters:
    ///   - newMode: the mode of a file that did not exist; nil for the default mode of new files.
    ///   - mode: the mode in every case, for private content.
    ///   - check: called immediately before the file is replaced; if it throws, the file is not changed.
    static func write(
        _ bytes: [UInt8], to path: String, newMode: mode_t? = nil, mode: mode_t? = nil, unless check: () throws(WorkspaceError) -> Void = {}
    ) throws(WorkspaceError) {
        let path = RealPath.of(path)
        var information = stat()
        let isThere = stat(path, &information) == 0
        // A rename would replace a device or a pipe by a file.
        guard !isThere || information.st_mode & S_IFMT == S_IFREG else {
            throw WorkspaceError(.unwritable, file: path, "it is not a regular file, so it is not replaced; name another file")
        }
        let mode = mode ?? (isThere ? information.st_mode & 0o7777 : newMode)
        let temporary = try writeTemporary(bytes, beside: path, mode: mode)
        do throws(WorkspaceError) { try check() } catch { throw discard(temporary, error) }
        guard rename(temporary, path) == 0 else { throw discard(temporary, failure(path)) }
        try syncFolder(of: path)
    }

    /// Writes a file that must not exist yet.
    ///
    /// - Parameters:
    ///   - mode: the mode; nil for the default mode of new files.
    ///   - isSynchronized: whether the file is on disk afterwards; false where the caller synchronizes many files at once.
    static func create(_ bytes: [UInt8], at path: String, mode: mode_t? = nil, isSynchronized: Bool = true) throws(WorkspaceError) {
        let temporary = try writeTemporary(bytes, beside: path, mode: mode, isSynchronized: isSynchronized)
        let code = FileRename.withoutReplacing(temporary, path)
        if code == EEXIST {
            throw discard(temporary, WorkspaceError(.exists, file: path, "the file already exists; choose another name"))
        }
        guard code == 0 else { throw discard(temporary, failure(path, code)) }
        if isSynchronized { try syncFolder(of: path) }
    }

    /// Writes the bytes to a file beside `path` and synchronises it to disk; without a mode it gets the default mode of new files.
    private static func writeTemporary(
        _ bytes: [UInt8], beside path: String, mode: mode_t?, isSynchronized: Bool = true
    ) throws(WorkspaceError) -> String {
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
        guard !isSynchronized || fsync(descriptor) == 0 else { throw discard(temporary, failure(path)) }
        return temporary
    }

    private static func syncFolder(of path: String) throws(WorkspaceError) {
        let code = FileRename.syncFolder(of: path)
        guard code == 0 else { throw failure(path, code) }
    }

    private static func discard(_ temporary: String, _ error: WorkspaceError) -> WorkspaceError {
        unlink(temporary)
        return error
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "it cannot be written: \(String(cString: strerror(code)))")
    }
}
