internal import Foundation

/// A lock file, held by at most one running process; a crash releases it (`flock(2)`).
final class StateLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Acquires the lock; nil when another holder has it, or the file cannot be created.
    ///
    /// - Parameter seconds: how long to wait for a lock that others hold only briefly; this blocks the thread.
    convenience init?(path: String, within seconds: Double = 0) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        self.init(path: path) { ContinuousClock.now < deadline }
    }

    /// Acquires the lock of an earlier program, unless that program is running.
    ///
    /// The kernel releases the locks of a killed program shortly after its end is visible, and a process that is being started briefly holds the
    /// locks of this program. Therefore this waits for a holder that is not running, or that is this process.
    convenience init?(leftAt path: String) {
        let began = ContinuousClock.now
        self.init(path: path) {
            guard let holder = Self.holder(of: path) else { return false }
            if holder == getpid() { return ContinuousClock.now < began + .milliseconds(300) }
            return kill(holder, 0) != 0 && errno == ESRCH && ContinuousClock.now < began + .seconds(5)
        }
    }

    private init?(path: String, whileHeld mayWait: () -> Bool) {
        self.path = path
        var taken = Self.take(path)
        while taken == nil, errno == EWOULDBLOCK, mayWait() {
            usleep(5000)
            taken = Self.take(path)
        }
        guard let taken else { return nil }
        descriptor = taken
    }

    /// The process that holds a lock; nil where none does.
    ///
    /// The file is locked for reading meanwhile, so that two programs that do this at the same time do not count each other as the holder.
    static func runningHolder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return holder(of: path)
    }

    /// The process ID in the lock; nil for a lock of an older version, or one that is being created.
    private static func holder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? pid_t(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// Writes the ID of this process into the lock for other programs.
    private static func sign(_ descriptor: Int32) {
        let number = Array("\(getpid())".utf8)
        // Optional: without the ID, a lock that is held counts as that of a running program.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, number, number.count, 0)
    }

    /// The descriptor of the locked file; nil, with the reason in `errno`, when it cannot be locked.
    private static func take(_ path: String) -> Int32? {
        // Neither a link is followed, nor does a pipe wait for a writer.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        var ours = stat()
        var there = stat()
        guard fstat(descriptor, &ours) == 0, ours.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = ELOOP
            return nil
        }
        // The previous holder may have removed the file between opening and locking, and a lock on an unlinked file excludes no other program.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino {
            sign(descriptor)
            return descriptor
        }
        close(descriptor)
        errno = EWOULDBLOCK
        return nil
    }

    /// Removes the file; the lock is held until the object is released.
    func remove() {
        unlink(path)
    }

    deinit {
        // A child process that is being started has a copy of the descriptor until it executes its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
