internal import Glibc

/// Wall-clock time, for stored times.
enum SystemClock {
    /// Seconds since 1970-01-01T00:00:00Z.
    static var seconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
