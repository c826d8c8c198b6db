internal import CNcurses
import Glibc

/// A descriptor that is readable when the keyboard, a signal or a timer has an event.
///
/// It includes the timer that separates the Escape key from the start of a sequence, so that neither this type blocks
/// nor the caller needs a `poll` timeout.
struct EventPoll: ~Copyable {
    /// The descriptor to wait for.
    ///
    /// It is readable while an event is pending.
    let descriptor: Int32
    private let timer: Int32

    /// - Throws: ``TerminalError`` when the system provides no descriptor.
    init(watching descriptors: [Int32]) throws(TerminalError) {
        descriptor = cncurses_epoll()
        timer = cncurses_timer()
        guard descriptor >= 0, timer >= 0 else { throw .systemCall("epoll_create1 or timerfd_create") }
        for one in descriptors + [timer] {
            guard cncurses_epoll_add(descriptor, one) == 0 else { throw .systemCall("epoll_ctl") }
        }
    }

    deinit {
        close(timer)
        close(descriptor)
    }

    /// Removes a descriptor, for example one at its end of file, which is always readable.
    func forget(_ watched: Int32) {
        _ = cncurses_epoll_remove(descriptor, watched)
    }

    /// Starts the timer with a number of milliseconds; nil stops it.
    func setTimer(_ milliseconds: Int?) {
        _ = cncurses_timer_set(timer, Int32(milliseconds ?? 0))
    }

    /// The time of a monotonic clock in milliseconds.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// The size of the terminal according to the kernel; `nil` on failure, zero where no size was set.
    static func windowSize(of descriptor: Int32) -> Size? {
        var size = winsize()
        guard cncurses_window_size(descriptor, &size) == 0 else { return nil }
        return Size(width: Int(size.ws_col), height: Int(size.ws_row))
    }

    /// Creates a pipe whose ends are non-blocking.
    static func pipe() throws(TerminalError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard cncurses_pipe(&ends) == 0 else { throw .systemCall("pipe2") }
        return (ends[0], ends[1])
    }
}

extension TerminalError {
    static func systemCall(_ name: String) -> TerminalError {
        TerminalError(.systemCall, "The system refused \(name): \(String(cString: strerror(errno))).")
    }
}

/// Writes signals to a pipe, so that they are handled between two events.
struct SignalPipe: ~Copyable {
    /// Readable when signals are pending.
    let descriptor: Int32
    private let writeEnd: Int32
    private var previous: [(signal: Int32, action: sigaction)]

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
        // Not a default value: Swift 6.2 destroys it twice where an initializer of a noncopyable value throws.
        previous = []
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
            // A write to the terminal that is under way continues after this handler.
            CrashGuard.discardUntakenOutput(of: Screen.output)
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
