internal import CLinux
internal import Glibc
internal import SortieHTTP
internal import Synchronization

/// The incomplete file of a download, locked against other processes (`ResumeRules.md` 5.5).
///
/// The lock is on this file, because each store replaces the manifest with another file.
final class PartFile: Sendable {
    let path: String
    private let descriptor: Int32
    private let probe: DiskProbe
    /// The minimum size of the file, unless another program truncated it.
    private let leastSize: Mutex<Int64>

    /// What another program did to the file; the lock is advisory and does not prevent this.
    enum Damage: Hashable, Sendable {
        /// The file is shorter than what was written.
        case cut
        /// The file was unlinked.
        case removed
    }

    /// Opens and locks the file; creates it when it is missing and `creates` is true.
    ///
    /// - Returns: Nil when the file is missing and `creates` is false.
    /// - Throws: `storage` when the file cannot be opened, or another process has locked it.
    static func open(_ path: String, creates: Bool, probe: @escaping DiskProbe) throws(NetworkError) -> PartFile? {
        while true {
            let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (creates ? O_CREAT : 0), 0o666)
            guard descriptor >= 0 else {
                if errno == ENOENT, !creates { return nil }
                throw .disk(errno, path, "cannot be opened")
            }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                throw NetworkError(.storage, "\(path) is not a regular file, so no part of a download is written to it", remedy: .unknownPart)
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                guard code == EWOULDBLOCK else { throw .disk(code, path, "cannot be locked") }
                throw NetworkError(
                    .storage, "\(path) is being written to by another download", remedy: .busyPart)
            }
            // The process that held the lock may have renamed or removed the file before this one acquired it.
            var (ours, named) = (stat(), stat())
            guard fstat(descriptor, &ours) == 0, stat(path, &named) == 0, ours.st_ino == named.st_ino, ours.st_dev == named.st_dev else {
                close(descriptor)
                continue
            }
            return PartFile(path: path, descriptor: descriptor, size: Int64(ours.st_size), probe: probe)
        }
    }

    private init(path: String, descriptor: Int32, size: Int64, probe: @escaping DiskProbe) {
        (self.path, self.descriptor, self.probe) = (path, descriptor, probe)
        leastSize = Mutex(size)
    }

    deinit { close(descriptor) }

    /// Releases the lock, even while other references to this object exist.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// The size of the file in bytes.
    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// What another program did to the file since it was opened; nil when no damage is visible.
    ///
    /// Writing after the end of a truncated file leaves zeros before the new bytes, so this is checked before each write.
    var damage: Damage? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return .removed }
        return Int64(status.st_size) < leastSize.withLock { $0 } ? .cut : nil
    }

    /// The error for a damaged part.
    func error(of damage: Damage) -> NetworkError {
        switch damage {
        case .cut: NetworkError(.storage, "another program truncated \(path) while it was written", remedy: .damagedPart)
        case .removed:
            NetworkError(
                .storage, "another program removed \(path) while it was written", remedy: .removedPart)
        }
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetworkError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .disk(errno, path, "cannot be written") }
            done += count
            leastSize.withLock { $0 = max($0, offset + Int64(done)) }
        }
        try pass(.wrote)
    }

    /// Whether the file has these bytes at `offset`.
    func matches(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetworkError) -> Bool {
        try read(bytes.count, at: offset).withUnsafeBytes { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }

    /// Reads at most `count` bytes at `offset`.
    func read(_ count: Int, at offset: Int64) throws(NetworkError) -> [UInt8] {
        var done = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while done < count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset) + done)
                if got < 0, errno == EINTR { continue }
                if got < 0 { code = errno }
                guard got > 0 else { break }
                done += got
            }
            filled = done
        }
        guard code == 0 else { throw .disk(code, path, "cannot be read") }
        return bytes
    }

    /// Truncates the file to `size` bytes.
    func truncate(to size: Int64) throws(NetworkError) {
        leastSize.withLock { $0 = min($0, size) }
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .disk(errno, path, "cannot be truncated") }
    }

    /// Allocates disk space for `total` bytes, so that a full disk is noticed early; the size of the file does not change.
    func reserve(_ total: Int64) throws(NetworkError) {
        guard total > 0, clinux_reserve(descriptor, total) != 0 else { return }
        // Where the file system does not support allocation, the first write that does not fit fails.
        guard errno == ENOSPC || errno == EDQUOT || errno == EFBIG else { return }
        throw .disk(errno, path, "has no room for \(ByteCount(total).text)")
    }

    /// Waits until all written bytes are on the disk.
    func sync() throws(NetworkError) {
        guard fdatasync(descriptor) == 0 else { throw .disk(errno, path, "cannot be written") }
        try pass(.synced)
    }

    /// Waits until bytes and metadata are on the disk.
    func syncAll() throws(NetworkError) {
        guard fsync(descriptor) == 0 else { throw .disk(errno, path, "cannot be written") }
    }

    /// Sets the modification time to that of the file on the server.
    func setModified(_ date: HTTPDate) {
        let times = [timespec(tv_sec: 0, tv_nsec: 0x3fff_fffe /* UTIME_OMIT */), timespec(tv_sec: Int(date.seconds), tv_nsec: 0)]
        // A failure is ignored: the content of the file is correct without the time.
        futimens(descriptor, times)
    }

    /// The SHA-256 of the last bytes before `end`, in hexadecimal; at most ``DownloadManifest/tailLength`` bytes.
    func tailHash(before end: Int64) throws(NetworkError) -> String { try tailHash(of: 0..<end) }

    /// The SHA-256 of the last bytes of a range, in hexadecimal; at most ``DownloadManifest/tailLength`` bytes.
    func tailHash(of stretch: Range<Int64>) throws(NetworkError) -> String {
        let count = min(Int64(stretch.count), DownloadManifest.tailLength)
        return HexDigits.text(HashFunction.sha256.digest(of: try read(Int(count), at: stretch.upperBound - count)))
    }

    /// Adds the bytes of a range of the file to a digest.
    func update(_ message: inout MessageDigest, with stretch: Range<Int64>) throws(NetworkError) {
        var offset = stretch.lowerBound
        while offset < stretch.upperBound {
            let bytes = try read(Int(min(1 << 20, stretch.upperBound - offset)), at: offset)
            guard !bytes.isEmpty else { break }
            message.update(bytes)
            offset += Int64(bytes.count)
        }
    }

    /// Renames the file to the path `name` in the same folder; mode and owner of a file that it replaces stay.
    ///
    /// - Parameter leavesFolder: Whether another folder of the same file system is allowed.
    /// - Returns: False when the name is taken and `replaces` is false.
    /// - Throws: `storage` for a path in another folder, and when another program replaced or damaged the file.
    func rename(to name: String, replaces: Bool, leavesFolder: Bool = false) throws(NetworkError) -> Bool {
        let isInFolder = leavesFolder || FilePath.folder(of: name).utf8.elementsEqual(FilePath.folder(of: path).utf8)
        guard isInFolder, FilePath.isName(FilePath.name(of: name)) else { throw Self.leadsElsewhere(name) }
        if let damage { throw error(of: damage) }
        var (ours, named) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, lstat(path, &named) == 0, ours.st_ino == named.st_ino, ours.st_dev == named.st_dev else {
            throw error(of: .removed)
        }
        if replaces {
            var replaced = stat()
            if lstat(name, &replaced) == 0, replaced.st_mode & S_IFMT == S_IFREG {
                // The owner is set first, because setting it clears bits of the mode. Only root can; the file of another user then becomes ours.
                if replaced.st_uid != ours.st_uid || replaced.st_gid != ours.st_gid { _ = fchown(descriptor, replaced.st_uid, replaced.st_gid) }
                guard fchmod(descriptor, replaced.st_mode & 0o7777) == 0 else { throw .disk(errno, name, "cannot be written") }
            }
            guard Glibc.rename(path, name) == 0 else { throw .disk(errno, name, "cannot be written") }
        } else {
            let code = FileRename.withoutReplacing(path, name)
            if code == EEXIST { return false }
            guard code == 0 else { throw .disk(code, name, "cannot be written") }
        }
        try pass(.renamedFile)
        return true
    }

    /// The error for a destination outside the folder of the download.
    static func leadsElsewhere(_ path: String) -> NetworkError {
        NetworkError(.storage, "\(path) is not in the folder of the download", remedy: .otherFolder)
    }

    /// Removes the file.
    func remove() {
        unlink(path)
    }

    private func pass(_ step: DiskStep) throws(NetworkError) {
        let code = probe(step)
        if code != 0 { throw .disk(code, path, "cannot be written") }
    }
}
