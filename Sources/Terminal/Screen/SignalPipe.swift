import Glibc

/// Writes signals to a pipe, so that they are handled between two events.
struct SignalPipe: ~Copyable {
    /// Readable when signals are pending.
    let descriptor: Int32
    private let writeEnd: Int32
    private var previous: [(signal: Int32, action: sigaction)] = []

    // Safe: one word that is written before the handlers are installed and after they are removed. Never freed.
    private nonisolated(unsafe) static let target: UnsafeMutablePointer<Int32> = {
        let target = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        target.initialize(to: -1)
        return target
    }()

    // Safe: accessed by the handler, and while no handler is installed. Never freed.
    private nonisolated(unsafe) static let requestsToEnd: UnsafeMutablePointer<sig_atomic_t> = {
        let count = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        count.initialize(to: 0)
        return count
    }()

    /// Catches the signals for resizing, stopping, continuing and termination.
    ///
    /// A SIGHUP that is ignored (`nohup`) stays ignored.
    ///
    /// - Throws: ``TerminalError`` when the pipe cannot be created.
    init() throws(TerminalError) {
        let pipe = try EventPoll.pipe()
        descriptor = pipe.read
        writeEnd = pipe.write
        Self.target.pointee = pipe.write
        Self.requestsToEnd.pointee = 0
        for signal in [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP] {
            var old = sigaction()
            sigaction(signal, nil, &old)
            let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
            if signal == SIGHUP, isIgnored { continue }
            previous.append((signal, old))
            catchSignal(signal)
        }
    }

    deinit {
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
        Self.target.pointee = -1
        close(writeEnd)
        close(descriptor)
    }

    /// The signals received since the last call.
    func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count).map { Int32($0) } : []
    }

    /// Stops the program as the terminal's Ctrl-Z does, and returns when it continues.
    func stop() {
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)  // the process group, because a shell job may have several processes
        catchSignal(SIGTSTP)
    }

    private func catchSignal(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in SignalPipe.came(signal) }
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }

    /// The signal handler, which makes only async-signal-safe calls.
    private static func came(_ number: Int32) {
        let savedError = errno
        if number == SIGTERM || number == SIGINT {
            requestsToEnd.pointee += 1
            if requestsToEnd.pointee > 1 {
                // A second request to terminate: the first one was not handled, so the program hangs.
                CrashGuard.restore()
                signal(number, SIG_DFL)
                raise(number)
                return
            }
        }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(target.pointee, &byte, 1)
        errno = savedError
    }
}
