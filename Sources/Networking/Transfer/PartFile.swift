internal import CLinux
internal import Crypto
internal import Glibc
internal import Model
internal import Synchronization

/// The bytes of a download that has not ended, locked against every other process (§5.5).
///
/// The lock is on this file and not on the manifest, which is another file after each time it is written.
final class PartFile: Sendable {
    let path: String
    private let descriptor: Int32
    private let probe: DiskProbe
    /// How many bytes the file has at least, unless another program cut it.
    private let leastSize: Mutex<Int64>

    /// What another program did to the file; the lock is advisory, so it does not prevent this.
    enum Damage: Hashable, Sendable {
        /// The file is shorter than what was written.
        case cut
        /// The file has no name any more.
        case removed
    }

    /// Opens and locks the file; makes it when it is missing and `creates`.
    ///
    /// - Returns: nil when it is missing and shall not be made.
    /// - Throws: `storage` when it cannot be opened, or another process has it.
    static func open(_ path: String, creates: Bool, probe: @escaping DiskProbe) throws(NetworkError) -> PartFile? {
        while true {
            let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creates ? O_CREAT : 0), 0o666)
            guard descriptor >= 0 else {
                if errno == ENOENT, !creates { return nil }
                throw .disk(errno, path, "cannot be opened")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                guard code == EWOULDBLOCK else { throw .disk(code, path, "cannot be locked") }
                throw NetworkError(
                    .storage, "\(path) is being written to by another download", hint: "wait for it, stop it, or choose another name with -o")
            }
            // Whoever had the lock may have renamed or removed the file while we waited for it.
            var (ours, named) = (stat(), stat())
            guard fstat(descriptor, &ours) == 0, stat(path, &named) == 0, ours.st_ino == named.st_ino, ours.st_dev == named.st_dev else {
                close(descriptor)
                continue
            }
            return PartFile(path: path, descriptor: descriptor, size: Int64(ours.st_size), probe: probe)
        }
    }

    private init(path: String, descriptor: Int32, size: Int64, probe: @escaping DiskProbe) {
        self.path = path
        self.descriptor = descriptor
        self.probe = probe
        leastSize = Mutex(size)
    }

    deinit { close(descriptor) }

    /// Gives up the lock, whoever still knows of the file.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// How many bytes it has.
    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// What another program did to the file since it was opened; nil for nothing that can be seen.
    ///
    /// Bytes that are written after the end of a file that was cut leave zeros before them, so this is looked at before each write.
    var damage: Damage? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return .removed }
        return Int64(status.st_size) < leastSize.withLock { $0 } ? .cut : nil
    }

    /// The error for a damage.
    func error(of damage: Damage) -> NetworkError {
        switch damage {
        case .cut: NetworkError(.storage, "\(path) was cut by another program while it was written", hint: "run the same command again")
        case .removed:
            NetworkError(
                .storage, "\(path) was removed by another program while it was written", hint: "run the same command again; it begins afresh")
        }
    }

    /// Writes all of `bytes`.
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

    /// At most `count` bytes.
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

    /// Cuts what comes after `size`.
    func truncate(to size: Int64) throws(NetworkError) {
        leastSize.withLock { $0 = min($0, size) }
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .disk(errno, path, "cannot be cut") }
    }

    /// Takes room for `total` bytes, so that a full disk is noticed before hours have passed; the file keeps its size.
    func reserve(_ total: Int64) throws(NetworkError) {
        guard total > 0, clinux_reserve(descriptor, total) != 0 else { return }
        // Where the file system cannot do it, the first write that does not fit will tell.
        guard errno == ENOSPC || errno == EDQUOT || errno == EFBIG else { return }
        throw .disk(errno, path, "has no room for \(ByteCount(total).text)")
    }

    /// Waits until all that was written is on the disk.
    func sync() throws(NetworkError) {
        guard fdatasync(descriptor) == 0 else { throw .disk(errno, path, "cannot be written") }
        try pass(.synced)
    }

    /// Waits until bytes and times are on the disk.
    func syncAll() throws(NetworkError) {
        guard fsync(descriptor) == 0 else { throw .disk(errno, path, "cannot be written") }
    }

    /// Gives it the moment at which the file changed on the server.
    func setModified(_ date: HTTPDate) {
        let times = [timespec(tv_sec: 0, tv_nsec: 0x3fff_fffe /* UTIME_OMIT */), timespec(tv_sec: Int(date.seconds), tv_nsec: 0)]
        // Only a convenience: the file is right without it.
        futimens(descriptor, times)
    }

    /// SHA-256 of the last bytes before `end`, in hexadecimal.
    func tailHash(before end: Int64) throws(NetworkError) -> String { try tailHash(of: 0..<end) }

    /// SHA-256 of the last bytes of a stretch, in hexadecimal.
    func tailHash(of stretch: Range<Int64>) throws(NetworkError) -> String {
        let count = min(Int64(stretch.count), DownloadManifest.tailLength)
        return HexDigits.text(SHA256.hash(data: try read(Int(count), at: stretch.upperBound - count)))
    }

    /// Adds the bytes of a stretch to a digest.
    func update(_ hash: inout SHA256, with stretch: Range<Int64>) throws(NetworkError) {
        var offset = stretch.lowerBound
        while offset < stretch.upperBound {
            let bytes = try read(Int(min(1 << 20, stretch.upperBound - offset)), at: offset)
            guard !bytes.isEmpty else { break }
            hash.update(data: bytes)
            offset += Int64(bytes.count)
        }
    }

    /// Gives the file the path `name`, in the same folder.
    ///
    /// - Returns: false when the name is taken and not to be replaced.
    /// - Throws: `storage` for a path in another folder, wherever it came from, and when the file is not what was written.
    func rename(to name: String, replaces: Bool) throws(NetworkError) -> Bool {
        guard FilePath.folder(of: name).utf8.elementsEqual(FilePath.folder(of: path).utf8), FilePath.isName(FilePath.name(of: name)) else {
            throw Self.leadsElsewhere(name)
        }
        if let damage { throw error(of: damage) }
        var (ours, named) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, lstat(path, &named) == 0, ours.st_ino == named.st_ino, ours.st_dev == named.st_dev else {
            throw error(of: .removed)
        }
        if replaces {
            guard Glibc.rename(path, name) == 0 else { throw .disk(errno, name, "cannot be written") }
        } else if clinux_rename_new(path, name) != 0 {
            if errno == EEXIST { return false }
            // A hard link fails when the name is taken, too, where the file system does not know the better way.
            guard errno == EINVAL || errno == ENOSYS, link(path, name) == 0 else {
                if errno == EEXIST { return false }
                throw .disk(errno, name, "cannot be written")
            }
            unlink(path)
        }
        try pass(.renamedFile)
        return true
    }

    /// The error for a file that would leave the folder of its download.
    static func leadsElsewhere(_ path: String) -> NetworkError {
        NetworkError(.storage, "\(path) is not in the folder of the download", hint: "name another file with -o, or begin again with --restart")
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
