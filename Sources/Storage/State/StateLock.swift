internal import Foundation

/// A lock file: held by one living process at a time, and by none after a crash (`flock(2)`).
final class StateLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock; nil when somebody else holds it, or the file cannot be made.
    ///
    /// - Parameter seconds: how long to wait for one that others hold for moments only; it blocks the thread.
    init?(path: String, within seconds: Double = 0) {
        self.path = path
        let deadline = ContinuousClock.now + .seconds(seconds)
        var taken = Self.take(path)
        while taken == nil, errno == EWOULDBLOCK, ContinuousClock.now < deadline {
            usleep(5000)
            taken = Self.take(path)
        }
        guard let taken else { return nil }
        descriptor = taken
    }

    /// The locked file; nil, and why in `errno`, when it cannot be had.
    private static func take(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        var ours = stat()
        var there = stat()
        // Whoever held it may have removed the file between opening and locking; a lock on a file without a name keeps nobody out.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &ours) == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino {
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
