internal import Glibc
internal import Synchronization

/// The waits of an invocation for the readers of its output.
final class OutputWaits: Sendable {
    private let endedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Ends the waits, because of a signal or a time limit: output whose reader takes nothing is discarded from now on.
    func end() { endedAt.withLock { $0 = $0 ?? .now } }

    /// Whether the waits have been ended.
    var areEnded: Bool { endedAt.withLock { $0 != nil } }

    /// Whether output that has waited since `start` is discarded.
    fileprivate func areOver(since start: ContinuousClock.Instant, grace: Duration) -> Bool {
        endedAt.withLock { $0 }.map { ContinuousClock.now - max($0, start) >= grace } ?? false
    }
}

/// A descriptor to which the program writes.
///
/// A terminal that is stopped, and a pipe whose reader reads nothing, take no bytes. The program waits for them until its ``OutputWaits`` end; then it
/// discards the rest, so that a signal or a time limit ends it.
final class OutputDescriptor: Sendable {
    private enum Kind {
        case pipe, terminal, socket, other
    }

    let number: Int32
    private let waits: OutputWaits
    /// How long the reader may take no bytes after the end of the waits.
    private let grace: Duration
    private let discards = Atomic<Bool>(false)

    init(_ number: Int32, waits: OutputWaits, grace: Duration = .milliseconds(500)) {
        (self.number, self.waits, self.grace) = (number, waits, grace)
    }

    /// What the descriptor is now: that of a detached download becomes another file.
    private var kind: Kind {
        var status = stat()
        return switch fstat(number, &status) == 0 ? status.st_mode & S_IFMT : 0 {
        case S_IFIFO: .pipe
        case S_IFSOCK: .socket
        case S_IFCHR where isatty(number) == 1: .terminal
        default: .other
        }
    }

    /// Whether output was discarded, because its reader took nothing or has gone.
    var isDiscarding: Bool { discards.load(ordering: .relaxed) }

    /// Writes again, because the descriptor has become another file.
    func restart() { discards.store(false, ordering: .relaxed) }

    /// Writes bytes, and waits for their reader.
    ///
    /// - Parameter isCancelled: Whether the rest is not needed any more; evaluated between pieces.
    /// - Returns: 0, also where bytes were discarded or not needed, or the number of the error.
    func write(_ bytes: UnsafeRawBufferPointer, until isCancelled: () -> Bool = { false }) -> Int32 {
        var rest = bytes[...]
        let kind = kind
        // Opened again, because the flag O_NONBLOCK of the program's descriptor would also apply to other programs with this terminal or pipe.
        let isOpenedAgain = kind == .terminal || kind == .pipe && bytes.count > Int(PIPE_BUF)
        let own = isOpenedAgain ? open("/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
        defer { if own >= 0 { close(own) } }
        var waitsSince: ContinuousClock.Instant?
        var refusals = 0
        while !rest.isEmpty, !isDiscarding, !isCancelled() {
            let written = take(UnsafeRawBufferPointer(rebasing: rest), kind, own: own)
            if written > 0 {
                rest = rest.dropFirst(written)
                (waitsSince, refusals) = (nil, 0)
                continue
            }
            let code = written < 0 ? errno : EIO
            if code == EINTR { continue }
            guard code == EAGAIN else {
                discards.store(true, ordering: .relaxed)
                return code
            }
            let start = waitsSince ?? .now
            waitsSince = start
            guard !waits.areOver(since: start, grace: grace) else {
                discards.store(true, ordering: .relaxed)
                return 0
            }
            // A terminal with room for one byte is ready, although it does not take a line feed, which it sends as two bytes.
            refusals += 1
            if refusals % 2 == 1 { _ = isReady(within: 100) } else { poll(nil, 0, 10) }
        }
        return 0
    }

    /// Writes a piece without blocking; -1 with `EAGAIN` in `errno` where there is no room.
    private func take(_ bytes: UnsafeRawBufferPointer, _ kind: Kind, own: Int32) -> Int {
        if own >= 0 { return Glibc.write(own, bytes.baseAddress, bytes.count) }
        switch kind {
        case .other: return Glibc.write(number, bytes.baseAddress, bytes.count)
        case .socket: return send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        case .pipe, .terminal:
            guard isReady(within: 0) else {
                errno = EAGAIN
                return -1
            }
            // A pipe that is ready has room for a page. Of a terminal that cannot be opened again, as that of another user, this is not known.
            return Glibc.write(number, bytes.baseAddress, min(bytes.count, kind == .pipe ? Int(PIPE_BUF) : 64))
        }
    }

    /// Whether bytes, or an error, can be had from the descriptor within a number of milliseconds.
    private func isReady(within milliseconds: Int32) -> Bool {
        var waited = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        let count = poll(&waited, 1, milliseconds)
        // Where waiting is not possible, as in a process without descriptors (`decode-image`), the descriptor is written to as it is.
        return count > 0 || count < 0 && errno != EINTR
    }
}
