internal import Glibc

/// The monotonic clock for deadlines and durations.
enum MonotonicClock {
    /// Nanoseconds since the machine started.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Seconds from `start` to `end`; 0 where `end` is earlier.
    static func seconds(from start: UInt64, to end: UInt64 = now) -> Double {
        end > start ? Double(end - start) / 1e9 : 0
    }
}

extension Duration {
    /// The duration in nanoseconds: 0 for a negative duration, at most 146 years, so that adding it to a time cannot
    /// overflow.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 4_600_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The duration as text: `250 ms`, `10 s`.
    var spoken: String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0
            ? "\(milliseconds / 1000) s" : milliseconds < 1000 ? "\(milliseconds) ms" : "\(Double(milliseconds) / 1000) s"
    }
}
