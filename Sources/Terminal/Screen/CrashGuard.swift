import Glibc

/// Restores the terminal when the program crashes or exits without closing its ``Screen``.
///
/// ``Screen`` arms it; other code does not use it. The handler makes only async-signal-safe calls. Afterwards the
/// signal has its previous effect, so that the exit status, a core file and Swift's crash report do not change.
enum CrashGuard {
    /// The data that the handler needs, prepared in advance.
    private struct Record {
        var isArmed: sig_atomic_t = 0
        var descriptor: Int32 = -1
        var mode = termios()
        var farewell: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 0)
    }

    // Safe: written on the main thread only while `isArmed` is 0, and read by handlers only while it is 1. Never
    // freed.
    private nonisolated(unsafe) static let record: UnsafeMutablePointer<Record> = {
        let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        record.initialize(to: Record())
        return record
    }()

    // Safe: written only by the calls in `isInstalled` that install the handlers that read it. Never freed.
    private nonisolated(unsafe) static let previous: UnsafeMutablePointer<sigaction> = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()

    /// Swift's traps raise SIGILL or SIGTRAP.
    ///
    /// SIGQUIT is not a crash but ends the program as abruptly.
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGSYS, SIGQUIT]

    /// Installs the handlers, once per process.
    private static let isInstalled: Bool = {
        let stackSize = 64 * 1024
        var current = stack_t()
        if sigaltstack(nil, &current) == 0, current.ss_flags & Int32(SS_DISABLE) != 0 {
            // After a stack overflow the handler needs a separate stack.
            var stack = stack_t(ss_sp: .allocate(byteCount: stackSize, alignment: 16), ss_flags: 0, ss_size: stackSize)
            sigaltstack(&stack, nil)
        }
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { signal in CrashGuard.crashed(signal) }
            action.sa_flags = SA_ONSTACK
            sigaction(signal, &action, previous + Int(signal))
        }
        atexit { CrashGuard.restore() }
        return true
    }()

    /// Arms the guard: a crash now sends `farewell` to the terminal and sets it to `mode`.
    static func arm(descriptor: Int32, mode: termios, farewell: String) {
        _ = isInstalled
        disarm()
        record.pointee.farewell.deallocate()
        let bytes = Array(farewell.utf8)
        record.pointee.farewell = .allocate(capacity: bytes.count)
        _ = record.pointee.farewell.initialize(from: bytes)
        record.pointee.descriptor = descriptor
        record.pointee.mode = mode
        record.pointee.isArmed = 1
    }

    /// Disarms the guard after the terminal was restored.
    static func disarm() {
        record.pointee.isArmed = 0
    }

    /// Restores the terminal.
    ///
    /// Async-signal-safe.
    static func restore() {
        guard record.pointee.isArmed != 0 else { return }
        record.pointee.isArmed = 0
        discardUntakenOutput(of: record.pointee.descriptor)
        let farewell = record.pointee.farewell
        _ = write(record.pointee.descriptor, farewell.baseAddress, farewell.count)
        tcsetattr(record.pointee.descriptor, TCSANOW, &record.pointee.mode)
    }

    /// Discards the output that a terminal does not take, such as one behind a connection that hangs, so that a write to it ends.
    ///
    /// Async-signal-safe.
    static func discardUntakenOutput(of descriptor: Int32) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&wanted, 1, 0) == 0 { tcflush(descriptor, TCOFLUSH) }
    }

    private static func crashed(_ signal: Int32) {
        restore()
        sigaction(signal, previous + Int(signal), nil)
        raise(signal)  // delivered with its previous effect when this handler returns
    }
}
