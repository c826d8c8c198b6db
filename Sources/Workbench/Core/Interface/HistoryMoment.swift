internal import SortieBase

package import struct FoundationEssentials.Date

/// The wall-clock time of reading the history, relative to which times of rows are formatted.
package struct HistoryMoment: Hashable, Sendable {
    /// A period with a constant offset from UTC.
    package struct Offset: Hashable, Sendable {
        /// The start of the period.
        package var since: Date
        /// The offset from UTC in seconds, positive to the east.
        package var seconds: Int

        /// Creates a period.
        package init(since: Date, seconds: Int) {
            self.since = since
            self.seconds = seconds
        }
    }

    /// The time of reading.
    package var now: Date
    /// The offsets from UTC, the newest first; the last also applies to all earlier times.
    package var offsets: [Offset]

    /// Creates a moment; without offsets, times are in UTC.
    package init(now: Date, offsets: [Offset] = []) {
        self.now = now
        self.offsets = offsets
    }

    /// The offset from UTC at `now`, in seconds.
    var utcOffset: Int { offset(at: now) }

    private func offset(at date: Date) -> Int { (offsets.first { $0.since <= date } ?? offsets.last)?.seconds ?? 0 }

    private func local(_ date: Date) -> CalendarTime {
        CalendarTime(secondsSince1970: date.timeIntervalSince1970, utcOffset: offset(at: date))
    }

    private func isToday(_ time: CalendarTime) -> Bool {
        let today = local(now)
        return (time.year, time.month, time.day) == (today.year, today.month, today.day)
    }

    /// `14:03:12` on the current day, `2026-11-20` on another day.
    func short(_ date: Date) -> String {
        let time = local(date)
        return isToday(time) ? Self.clock(time) : Self.day(time)
    }

    /// `14:03:12` on the current day, `2026-11-20 14:03:12` on another day.
    func long(_ date: Date) -> String {
        let time = local(date)
        return isToday(time) ? Self.clock(time) : Self.day(time) + " " + Self.clock(time)
    }

    /// `2026-11-20 14:03:12`.
    func full(_ date: Date) -> String {
        let time = local(date)
        return Self.day(time) + " " + Self.clock(time)
    }

    private static func clock(_ time: CalendarTime) -> String { "\(two(time.hour)):\(two(time.minute)):\(two(time.second))" }

    private static func day(_ time: CalendarTime) -> String { "\(time.year)-\(two(time.month))-\(two(time.day))" }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
