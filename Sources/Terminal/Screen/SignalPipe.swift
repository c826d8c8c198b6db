import Glibc

/// Turns signals into bytes of a pipe, so that they are answered between two events and not in the middle of anything.
struct SignalPipe: ~Copyable {
    /// Readable when signals came.
    let descriptor: Int32
    private let writeEnd: Int32
    private var previous: [(signal: Int32, action: sigaction)] = []

    // Safe: a word that is written before the handlers are set and after they are gone. Never freed.
    private nonisolated(unsafe) static let target: UnsafeMutablePointer<Int32> = {
        let target = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        target.initialize(to: -1)
        return target
    }()

    // Safe: touched by the handler, and when no handler is set. Never freed.
    private nonisolated(unsafe) static let requestsToEnd: UnsafeMutablePointer<sig_atomic_t> = {
        let count = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        count.initialize(to: 0)
        return count
    }()

    /// Catches resize, stop, continue, and the requests to end; a hang-up that is ignored (`nohup`) stays ignored.
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

    /// The signals that came since the last call.
    func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count).map { Int32($0) } : []
    }

    /// Stops the program as the terminal's own Ctrl-Z does, and returns when it goes on.
    func stop() {
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)  // the whole group: a shell's job may be more than this process
        catchSignal(SIGTSTP)
    }

    private func catchSignal(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in SignalPipe.came(signal) }
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }

    /// The handler: makes only calls that are allowed in one.
    private static func came(_ number: Int32) {
        let savedError = errno
        if number == SIGTERM || number == SIGINT {
            requestsToEnd.pointee += 1
            if requestsToEnd.pointee > 1 {
                // Asked a second time: whoever should have answered the first one is stuck.
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
