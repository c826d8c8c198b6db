internal import Glibc

/// The clock of the calendar, for what is kept.
enum SystemClock {
    /// Seconds since 1970.
    static var seconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
