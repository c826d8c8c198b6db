internal import CNcurses
import Glibc

/// One descriptor that is readable when the keyboard, a signal, or a timer has something.
///
/// With the timer in it, the wait that tells the Escape key from the beginning of a sequence needs no blocking and no help from
/// the caller's `poll`.
struct EventPoll: ~Copyable {
    /// The descriptor to wait for; it is readable as long as something is waiting.
    let descriptor: Int32
    private let timer: Int32

    /// - Throws: ``TerminalError`` where the system gives out no descriptor.
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

    /// No longer watches a descriptor: one that is at its end is readable forever.
    func forget(_ watched: Int32) {
        _ = cncurses_epoll_remove(descriptor, watched)
    }

    /// Sets the timer to go off after so many milliseconds, or never.
    func setTimer(_ milliseconds: Int?) {
        _ = cncurses_timer_set(timer, Int32(milliseconds ?? 0))
    }

    /// The milliseconds on a clock that never goes back.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// The terminal's size as the kernel knows it, or `nil`; zero where nobody told the kernel.
    static func windowSize(of descriptor: Int32) -> Size? {
        var size = winsize()
        guard cncurses_window_size(descriptor, &size) == 0 else { return nil }
        return Size(width: Int(size.ws_col), height: Int(size.ws_row))
    }

    /// A pipe whose ends never block.
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
