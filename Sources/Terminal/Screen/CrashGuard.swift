import Glibc

/// Gives the terminal back when the program crashes, and when it ends without saying so.
///
/// ``Screen`` arms it; there is nothing for others to do. The handler makes only calls that POSIX allows in one, and afterwards
/// the signal does what it would have done, so that the exit status, a core file and Swift's own report are as without it.
enum CrashGuard {
    /// What the handler needs, laid out before anything goes wrong.
    private struct Record {
        var isArmed: sig_atomic_t = 0
        var descriptor: Int32 = -1
        var mode = termios()
        var farewell: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 0)
    }

    // Safe: written on the main thread only while `isArmed` is 0, and read by handlers only while it is 1. Never freed.
    private nonisolated(unsafe) static let record: UnsafeMutablePointer<Record> = {
        let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        record.initialize(to: Record())
        return record
    }()

    // Safe: filled in `install()` before the handler that reads it is set. Never freed.
    private nonisolated(unsafe) static let previous: UnsafeMutablePointer<sigaction> = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()

    /// Swift's traps are SIGILL or SIGTRAP; SIGQUIT is no crash but ends the program as suddenly.
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGSYS, SIGQUIT]

    /// Sets the handlers, once in the life of the program.
    private static let isInstalled: Bool = {
        let stackSize = 64 * 1024
        var current = stack_t()
        if sigaltstack(nil, &current) == 0, current.ss_flags & Int32(SS_DISABLE) != 0 {
            // A stack overflow leaves no room on the stack for its handler.
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

    /// From now on a crash sends `farewell` to the terminal and sets it to `mode`.
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

    /// From now on a crash leaves the terminal alone: it has been given back.
    static func disarm() {
        record.pointee.isArmed = 0
    }

    /// Gives the terminal back now; callable in a signal handler.
    static func restore() {
        guard record.pointee.isArmed != 0 else { return }
        record.pointee.isArmed = 0
        let farewell = record.pointee.farewell
        _ = write(record.pointee.descriptor, farewell.baseAddress, farewell.count)
        tcsetattr(record.pointee.descriptor, TCSANOW, &record.pointee.mode)
    }

    private static func crashed(_ signal: Int32) {
        restore()
        sigaction(signal, previous + Int(signal), nil)
        raise(signal)  // taken as soon as this handler returns, now with its former meaning
    }
}
