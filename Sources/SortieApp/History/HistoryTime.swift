internal import Foundation
internal import SortieBase

/// Formatting of times in the history commands.
enum HistoryTime {
    /// `14:03:12` on the current day, `2026-11-20` on another day, in local time.
    static func short(_ date: Date, now: Date) -> String {
        let time = local(date)
        let today = local(now)
        return (time.year, time.month, time.day) == (today.year, today.month, today.day) ? clock(time) : time.date
    }

    /// `2026-11-20 14:03:12`, in local time.
    static func full(_ date: Date) -> String {
        let time = local(date)
        return "\(time.date) \(clock(time))"
    }

    /// `2026-11-20T14:03:12.345Z` (RFC 3339).
    static func iso8601(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        let rest = String(Int(milliseconds - (milliseconds / 1000).rounded(.down) * 1000))
        let text = CalendarTime(secondsSince1970: milliseconds / 1000).iso8601
        return "\(text.dropLast()).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest)Z"
    }

    private static func local(_ date: Date) -> CalendarTime {
        CalendarTime(secondsSince1970: date.timeIntervalSince1970, utcOffset: TimeZone.current.secondsFromGMT(for: date))
    }

    private static func clock(_ time: CalendarTime) -> String {
        [time.hour, time.minute, time.second].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
    }
}
