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
