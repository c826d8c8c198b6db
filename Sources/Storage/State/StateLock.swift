internal import Foundation

/// A lock file: held by one living process at a time, and by none after a crash (`flock(2)`).
final class StateLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock; nil when somebody else holds it, or the file cannot be made.
    ///
    /// - Parameter seconds: how long to wait for one that others hold for moments only; it blocks the thread.
    convenience init?(path: String, within seconds: Double = 0) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        self.init(path: path) { ContinuousClock.now < deadline }
    }

    /// Takes the lock that an earlier program held, unless that program lives.
    ///
    /// The kernel gives up the locks of a program that was killed a moment after its end is told, and a process that is being started holds ours for a
    /// moment; so who holds one and lives no more, or is ourselves, is waited for.
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

    /// The number that a program wrote into the lock; nil for one of an older version, or that is being made just now.
    private static func holder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? pid_t(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// Writes the number of this program into the lock, for those who find it held.
    private static func sign(_ descriptor: Int32) {
        let number = Array("\(getpid())".utf8)
        // Only a help: without it a lock that lingers counts as held.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, number, number.count, 0)
    }

    /// The locked file; nil, and why in `errno`, when it cannot be had.
    private static func take(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        var ours = stat()
        var there = stat()
        // Whoever held it may have removed the file between opening and locking; a lock on a file without a name keeps nobody out.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &ours) == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino {
            sign(descriptor)
            return descriptor
        }
        close(descriptor)
        errno = EWOULDBLOCK
        return nil
    }

    /// Removes the file; the lock is held until the object goes.
    func remove() {
        unlink(path)
    }

    deinit { close(descriptor) }
}
