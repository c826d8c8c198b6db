internal import Glibc
internal import Synchronization

/// Writes a file completely or not at all: a reader sees the old bytes or the new ones.
package enum AtomicFile {
    /// Why a file was not written.
    package enum Failure: Error, Hashable, Sendable {
        /// A folder, a device, a pipe or a socket is there; a rename would replace it by a file.
        case notRegularFile
        /// A system call failed with this code.
        case system(Int32)
        /// The file has its new content, but syncing its folder failed with this code: a power failure may restore the earlier file.
        case unsynced(Int32)

        /// The value of `errno`.
        package var code: Int32 {
            switch self {
            case .notRegularFile: EEXIST
            case .system(let code), .unsynced(let code): code
            }
        }
    }

    /// Replaces the file at a path, whose owner and mode stay, or creates it.
    ///
    /// - Parameters:
    ///   - newMode: The mode of a file that did not exist; nil for the default mode of new files.
    ///   - mode: The mode in every case, for private content.
    ///   - followsLinks: Whether a link is followed, and stays; otherwise it is replaced.
    ///   - isSynchronized: Whether the file and its name are on the disk afterwards.
    ///   - overwritesInPlace: Whether a file that cannot be replaced is overwritten: in a folder that cannot be changed, and a mount point, as in containers.
    ///   - mayReplace: Called immediately before the file is replaced; where it returns false, the file is not changed.
    /// - Returns: The result of `mayReplace`.
    @discardableResult
    package static func replace(
        _ content: BodyBytes, at path: String, newMode: UInt32? = nil, mode: UInt32? = nil, followsLinks: Bool = true, isSynchronized: Bool = true,
        overwritesInPlace: Bool = false, if mayReplace: () -> Bool = { true }
    ) throws(Failure) -> Bool {
        let target = followsLinks ? RealPath.of(path) : path
        var status = stat()
        let isThere = lstat(target, &status) == 0
        let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
        guard kind == S_IFREG || kind == S_IFLNK else { throw .notRegularFile }
        let earlier = isThere && kind == S_IFREG ? status : nil
        let (temporary, descriptor): (String, Int32)
        do throws(Failure) {
            let mode = mode ?? earlier.map { $0.st_mode & 0o7777 } ?? newMode
            (temporary, descriptor) = try write(content, beside: target, mode: mode, owner: earlier, isSynchronized: isSynchronized)
        } catch {
            guard overwritesInPlace, earlier != nil, [EACCES, EPERM, EROFS].contains(error.code) else { throw error }
            try overwrite(content, at: target)
            return true
        }
        // It is locked until it has its name.
        defer { close(descriptor) }
        guard mayReplace() else {
            unlink(temporary)
            return false
        }
        guard rename(temporary, target) == 0 else {
            let code = errno
            unlink(temporary)
            guard overwritesInPlace, code == EBUSY else { throw .system(code) }
            try overwrite(content, at: target)
            return true
        }
        if isSynchronized { try syncFolder(of: target) }
        return true
    }

    /// Writes a file that must not exist yet.
    ///
    /// - Parameters:
    ///   - mode: The mode; nil for the default mode of new files.
    ///   - isSynchronized: Whether the file and its name are on the disk afterwards.
    /// - Returns: False where something is at the path, which was not changed.
    package static func add(_ content: BodyBytes, at path: String, mode: UInt32? = nil, isSynchronized: Bool = true) throws(Failure) -> Bool {
        let (temporary, descriptor) = try write(content, beside: path, mode: mode, owner: nil, isSynchronized: isSynchronized)
        defer { close(descriptor) }
        let code = FileRename.withoutReplacing(temporary, path)
        if code != 0 { unlink(temporary) }
        if code == EEXIST { return false }
        try require(code)
        if isSynchronized { try syncFolder(of: path) }
        return true
    }

    /// Writes into what is at a path, such as a device or a pipe.
    package static func overwrite(_ content: BodyBytes, at path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        try write(content, to: descriptor)
    }

    /// Writes a body to a descriptor, and releases the memory of the parts that are written.
    package static func write(_ content: BodyBytes, to descriptor: Int32) throws(Failure) {
        var offset = 0
        while offset < content.count {
            let end = min(offset + 4 << 20, content.count)
            try require(content.withUnsafeBytes(in: offset..<end) { write($0, to: descriptor) })
            offset = end
            content.releaseMemory()
        }
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: 0, or the code of the error.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            done += count
        }
        return 0
    }

    /// The folders in which this process has removed what killed programs left.
    private static let swept = Mutex<Set<String>>([])

    /// Removes the temporary files of the user that killed programs left in the folder of a path.
    package static func removeLeftovers(beside path: String) {
        let folder = FilePath.folder(of: path)
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard FilePath.isTemporary(name) else { continue }
            let leftover = "\(folder)/\(name)"
            let descriptor = open(leftover, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            // A program that writes one has locked it.
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            // Where it stays, it only takes room.
            unlink(leftover)
        }
    }

    /// Writes a new temporary file beside a path, which is removed where that fails.
    ///
    /// - Parameter owner: The status of the file whose owner it gets, as far as that is permitted.
    /// - Returns: The path of the file, and its locked descriptor, which the caller closes.
    private static func write(
        _ content: BodyBytes, beside path: String, mode: UInt32?, owner: stat?, isSynchronized: Bool
    ) throws(Failure) -> (path: String, descriptor: Int32) {
        // Once for each folder and process, because the folder is listed for that.
        if swept.withLock({ $0.insert(FilePath.folder(of: path)).inserted }) { removeLeftovers(beside: path) }
        let (path, descriptor) = try createTemporary(beside: path, mode: mode == nil ? 0o666 : 0o600)
        do throws(Failure) {
            try write(content, to: descriptor)
            // Root preserves the owner of the file. The owner is set first, because setting it clears bits of the mode.
            if let owner, owner.st_uid != geteuid() || owner.st_gid != getegid() { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
            if let mode, fchmod(descriptor, mode) != 0 { throw .system(errno) }
            if isSynchronized, fsync(descriptor) != 0 { throw .system(errno) }
        } catch {
            unlink(path)
            close(descriptor)
            throw error
        }
        return (path, descriptor)
    }

    /// Creates and locks a temporary file; on a file system without locks, it is not locked, and never removed as a leftover.
    private static func createTemporary(beside path: String, mode: mode_t) throws(Failure) -> (path: String, descriptor: Int32) {
        while true {
            let temporary = FilePath.temporary(beside: path)
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw .system(errno) }
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            // Another program may have removed it as a leftover before it was locked.
            var status = stat()
            if lstat(temporary, &status) == 0 || errno != ENOENT { return (temporary, descriptor) }
            close(descriptor)
        }
    }

    private static func syncFolder(of path: String) throws(Failure) {
        let code = FileRename.syncFolder(of: path)
        guard code == 0 else { throw .unsynced(code) }
    }

    private static func require(_ code: Int32) throws(Failure) {
        guard code == 0 else { throw .system(code) }
    }
}
