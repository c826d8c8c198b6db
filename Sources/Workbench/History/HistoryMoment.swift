internal import Model

public import struct FoundationEssentials.Date

/// What the clock on the wall showed when the history was read; moments of rows are told from here.
public struct HistoryMoment: Hashable, Sendable {
    /// A stretch of time during which the clocks were the same number of seconds ahead of UTC.
    public struct Offset: Hashable, Sendable {
        /// When it began.
        public var since: Date
        /// How many seconds ahead of UTC clocks were.
        public var seconds: Int

        /// A stretch of time.
        public init(since: Date, seconds: Int) {
            self.since = since
            self.seconds = seconds
        }
    }

    /// When it was read.
    public var now: Date
    /// How far clocks are and were ahead of UTC, the newest first; the last holds for all time before as well.
    public var offsets: [Offset]

    /// A moment; clocks show UTC where nothing is said of them.
    public init(now: Date, offsets: [Offset] = []) {
        self.now = now
        self.offsets = offsets
    }

    /// How far clocks are ahead of UTC now, in seconds.
    var utcOffset: Int { offset(at: now) }

    private func offset(at date: Date) -> Int { (offsets.first { $0.since <= date } ?? offsets.last)?.seconds ?? 0 }

    private func local(_ date: Date) -> CalendarTime {
        CalendarTime(secondsSince1970: date.timeIntervalSince1970, utcOffset: offset(at: date))
    }

    private func isToday(_ time: CalendarTime) -> Bool {
        let today = local(now)
        return (time.year, time.month, time.day) == (today.year, today.month, today.day)
    }

    /// `14:03:12` of today, `2026-11-20` of another day.
    func short(_ date: Date) -> String {
        let time = local(date)
        return isToday(time) ? Self.clock(time) : Self.day(time)
    }

    /// `14:03:12` of today, `2026-11-20 14:03:12` of another day.
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
